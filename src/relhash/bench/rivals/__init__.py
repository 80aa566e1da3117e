"""The systems of the paper's tables that are not hashing, as scikit-learn classifiers over the same candidates."""

from relhash.bench.rivals.registry import BASELINES, BaselineEntry

__all__ = ["BASELINES", "BaselineEntry"]
