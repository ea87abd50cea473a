"""Features, the numbers by which a player judges a move: `published.py` has those of the papers, `surface.py` ours."""

from tetriscourse.features.feature import (
    FEATURES,
    OWN_FEATURES,
    WORDS,
    Feature,
    Value,
    as_feature,
    known_features,
)
from tetriscourse.features.sets import FEATURE_SETS, FeatureSet, as_feature_set

__all__ = [
    "FEATURES", "FEATURE_SETS", "OWN_FEATURES", "WORDS", "Feature", "FeatureSet", "Value", "as_feature",
    "as_feature_set", "known_features",
]  # fmt: skip
