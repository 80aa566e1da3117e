"""The systems of the paper's tables that are not hashing, as scikit-learn classifiers over the same candidates.

>>> from relhash.baselines import BASELINES
>>> estimator = BASELINES["SVM-Tikk2010"].made(seed=0)     # fit(candidates, y, target=…), predict_proba(candidates)
"""

from relhash.baselines.entry import BaselineEntry
from relhash.baselines.registry import BASELINES

__all__ = ["BASELINES", "BaselineEntry"]
