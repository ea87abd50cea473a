"""Panels in which optimizers learn weights: genetic, cross-entropy, CMA-ES, races."""
