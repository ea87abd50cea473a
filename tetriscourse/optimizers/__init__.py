"""Learning weights: three optimizers behind one protocol, what they maximise, and how a run survives anything.

Read in this order: protocol.py (ask, tell, stop), one of genetic.py, cross_entropy.py and cma_es.py, each a paper's
pseudocode; racing.py; objectives.py (from a vector to games), training.py (the loop); experiments.py and catalogue.py
(everything that the papers tried, by name).
"""
