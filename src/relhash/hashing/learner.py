"""The estimator: nearly-unsupervised hashcodes behind fit and transform.

Estimators whose learned state is ``functions_`` share :class:`CodeTransformer`; they differ in how they find the functions.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from relhash.blas import one_blas_thread
from relhash.candidates.paths import PathSet
from relhash.candidates.structure_set import StructureSet
from relhash.errors import RelHashWarning
from relhash.hashing.algorithm import GreedyCode, Settings, require
from relhash.hashing.functions import HashFamily
from relhash.hashing.storage import CodeOutput, find_family, functions_from_arrays, gather_references
from relhash.hashing.table import (
    ONLY_VIEW,
    Table,
    bind_views,
    concatenate,
    kernels_by_view,
    membership_of,
    view_names,
)
from relhash.hashing.trace import Step, with_deletions
from relhash.kernels.bound import Kernel


class CodeTransformer(TransformerMixin, CodeOutput):
    """A mixin for estimators with the parameter ``n_jobs``."""

    def transform(self, X: Any) -> Any:  # its own, for ``set_output`` to find
        """The bits of the candidates of ``X``; a row depends on nothing but its candidate."""
        return super().transform(X)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The learned functions and their family as plain arrays, for ``numpy.savez``.

        The kernels of ``kernels_`` are not among them: :func:`relhash.kernels.storage.kernels_to_arrays` stores those.
        """
        check_is_fitted(self, "functions_")
        return super().to_arrays()

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """A number for each bit, behind the name of the class."""
        check_is_fitted(self, "functions_")
        if hasattr(self, "n_features_in_"):
            _check_feature_names_in(self, input_features)
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{number}" for number in range(len(self.functions_))], dtype=object)

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self, "functions_")
        return self._validated(X, reset=False)

    def _validated(self, X: Any, *, reset: bool) -> Any:
        if _are_tokens(X):
            X = PathSet.from_sequences(X)
        if isinstance(X, PathSet | StructureSet):
            if reset:
                for name in ("n_features_in_", "feature_names_in_"):
                    self.__dict__.pop(name, None)
            return X
        return validate_data(self, X, reset=reset, dtype=[np.float64, np.float32], ensure_min_samples=2 if reset else 1)


def _are_tokens(X: Any) -> bool:
    """Whether X is a list of lists of words, and not of numbers: a path for each candidate, in words."""
    is_list = isinstance(X, list | tuple) and bool(X) and all(isinstance(row, list | tuple) for row in X)
    return is_list and any(X) and all(isinstance(token, str) for row in X for token in row)


class HashcodeLearner(CodeTransformer, BaseEstimator):
    """Binary codes that generalise from the training set to the target set, learned without labels.

    Algorithm 1 of Garg, Galstyan, Ver Steeg, Cecchi: *Nearly-Unsupervised Hashcode Representations for Relation Extraction*
    (EMNLP 2019). Each bit tells on which side of a few reference structures a candidate lies. References are drawn inside
    clusters that mix training and target candidates, and their split maximises ``H(x, c) − I(c : c_prev) + H(x | c_prev)``,
    where x is only *which set* a candidate comes from.

    Parameters
    ----------
    n_bits
        H: number of hash functions.
    n_references
        α: references of a function; from several sizes each function draws one.
    n_cluster_bits
        ζ: bits that define the clusters for sampling and for the redundancy of a new bit. Fewer are taken where the clusters
        would hold fewer than 8 candidates on average: below 8,192 candidates for the paper's ζ = 10. ``n_cluster_bits_`` tells
        how many, and one who asked for another number than 10 is warned.
    hash_function
        ``"nearest"`` (RkNN), ``"standard-nearest"`` (the same by standardised similarities), ``"margin"`` (RMM),
        ``"balanced-margin"`` (the same, cut at the median of both sets), ``"neural"`` (extra ``neural``), the name of a family
        that another package or you have registered (:data:`~relhash.hashing.HASH_FAMILIES`), or a
        :class:`~relhash.hashing.HashFamily`.
    ridge
        Added to the Gram diagonal of RMM and of its balanced form.
    network
        Parameters of :class:`~relhash.hashing.neural.family.NeuralFamily` for ``hash_function="neural"``, by name.
    split
        ``"exhaustive"`` tries all splits of the references, ``"mcmc"`` samples them, ``"auto"`` is exhaustive up to 8
        references, ``"sample"`` takes the best of 32 random ones, ``"random"`` any (the ablation).
    sampling
        ``"local"``: references from a high-entropy cluster as soon as there are ζ functions; ``"global"``: always from
        everywhere; ``"highest"``: from the cluster with the highest entropy of x, as the authors' published code does.
    n_global
        Functions whose references come from everywhere before sampling turns to clusters; None: ζ, as the paper has it.
    redundancy
        Estimator of I(c : c_prev): ``"clusters"`` of ζ random bits, or ``"correlation"``, latent factors of all bits.
    entropy_weight, redundancy_weight
        Weights of the terms H(x, c) and I(c : c_prev); 0 leaves one out (the ablation).
    bit_entropy_weight
        Weight of a term H(c) that Eq. 1 does not have; with 1, and ``entropy_weight=2``, the objective is that of the authors'
        published code, H(c) + H(c | c_prev) + H(x | c) + H(c | x), up to a constant.
    target_share
        Without a target, this share of the training candidates plays its part (inductive setting).
    deletion_share
        At most this share of the functions is deleted in a round; 0 for no deletion.
    deletion_spread
        Functions more than so many standard deviations below the mean objective are deleted.
    max_trials
        Functions tried in all; the default is twice ``n_bits`` with deletion, else ``n_bits``.
    kernel
        What compares. For arrays a name (``"rbf"``, ``"laplace"``, ``"cosine"``, ``"linear"``), a callable, or a kernel
        object; for a PathSet a :class:`~relhash.kernels.PathKernel`. A list offers kernels from which each function takes
        the best by the objective. For a StructureSet a mapping from views to any of these. None is the default for the type
        of the data.
    views
        The views of a StructureSet to use; None: all. Each function draws one of them.
    callback
        Called with a :class:`~relhash.hashing.Step` after each trial.
    random_state
        Seed; the same seed gives the same bits for any ``n_jobs`` and any batch size.
    n_jobs
        Threads of the kernels.

    Attributes
    ----------
    functions_, family_
        The hash functions, and the family they belong to.
    kernels_
        The kernels offered for each view, with what they fixed from the data.
    trace_
        One :class:`~relhash.hashing.Step` per trial: objective, its terms, cluster, view, α, accepted, deleted. It is a table
        for pandas: ``pandas.DataFrame(learner.trace_)``. Empty for a learner that comes from arrays.
    n_cluster_bits_
        The ζ that was taken.
    interrupted_
        Whether Ctrl-C ended the fit early; the functions learned until then are kept.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> train, target = rng.normal(size=(100, 2)), rng.normal(1, 1, (100, 2))
    >>> learner = HashcodeLearner(n_bits=16, random_state=0).fit(train, target=target)
    >>> learner.transform(target).shape, learner.codes(target).shape
    ((100, 16), (100, 1))
    >>> sum(step.accepted for step in learner.trace_) - sum(step.deleted_at is not None for step in learner.trace_)
    16
    """

    def __init__(
        self,
        n_bits: int = 100,
        *,
        n_references: int | Sequence[int] = (3, 4),
        n_cluster_bits: int = 10,
        hash_function: str | HashFamily = "nearest",
        ridge: float = 1e-3,
        network: Mapping[str, Any] | None = None,
        split: str = "auto",
        sampling: str = "local",
        redundancy: str = "clusters",
        entropy_weight: float = 1.0,
        redundancy_weight: float = 1.0,
        bit_entropy_weight: float = 0.0,
        n_global: int | None = None,
        target_share: float = 0.25,
        deletion_share: float = 0.1,
        deletion_spread: float = 1.0,
        max_trials: int | None = None,
        kernel: Any = None,
        views: Sequence[str] | None = None,
        callback: Callable[[Step], object] | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_bits = n_bits
        self.n_references = n_references
        self.n_cluster_bits = n_cluster_bits
        self.hash_function = hash_function
        self.ridge = ridge
        self.network = network
        self.split = split
        self.sampling = sampling
        self.redundancy = redundancy
        self.entropy_weight = entropy_weight
        self.redundancy_weight = redundancy_weight
        self.bit_entropy_weight = bit_entropy_weight
        self.n_global = n_global
        self.target_share = target_share
        self.deletion_share = deletion_share
        self.deletion_spread = deletion_spread
        self.max_trials = max_trials
        self.kernel = kernel
        self.views = views
        self.callback = callback
        self.random_state = random_state
        self.n_jobs = n_jobs

    @one_blas_thread()
    def fit(self, X: Any, y: ArrayLike | None = None, *, target: Any = None) -> HashcodeLearner:
        """Learn the hash functions.

        Parameters
        ----------
        X
            Training candidates: array, PathSet or StructureSet, or a list of tokens for each (``[["A", "binds", "B"], …]``).
        y
            Not looked at; scikit-learn hands it over.
        target
            Unlabelled candidates of the set to generalise to: the test set itself (transductive), or any other unlabelled
            set. Without it a random ``target_share`` of X plays its part (inductive).
        """
        self._learn(X, target)
        return self

    @one_blas_thread()
    def fit_hash(self, X: Any, y: ArrayLike | None = None, *, target: Any = None) -> tuple[Any, Any]:
        """:meth:`fit`, then :meth:`transform` of both sets (None without a target), for the price of one."""
        X = self._validated(X, reset=True)
        bits = self._learn(X, target)
        return np.ascontiguousarray(bits[: len(X)]), None if target is None else np.ascontiguousarray(bits[len(X) :])

    def _learn(self, X: Any, target: Any) -> NDArray[np.uint8]:
        """Learn; the bits of all candidates."""
        self._settings()
        family = find_family(self.hash_function, self.get_params(deep=False))
        X = self._validated(X, reset=True)
        n_train = len(X)
        everything = X if target is None else concatenate(X, self._validated(target, reset=False))
        n_target = len(everything) - n_train
        kernels = kernels_by_view(self.kernel, everything, view_names(everything, self.views))
        bound = bind_views(everything, kernels, self.n_jobs)
        seed = np.random.SeedSequence(int(check_random_state(self.random_state).randint(2**31 - 1)))
        membership = membership_of(n_train, None if target is None else n_target, self.target_share, seed)
        table = Table(bound, kernels, family, membership, n_bits=self.n_bits)
        self._grow(table, seed)
        return table.bits[:, table.of_candidate].T

    def _grow(self, table: Table, seed: np.random.SeedSequence) -> None:
        """Algorithm 1; what it learned becomes the attributes of the learner."""
        settings = self._settings().for_candidates(table.n_candidates)
        self.n_cluster_bits_ = settings.n_cluster_bits
        if settings.n_cluster_bits < self.n_cluster_bits != Settings.n_cluster_bits:
            warnings.warn(
                f"n_cluster_bits={self.n_cluster_bits} was asked for, {settings.n_cluster_bits} is taken: the clusters of "
                f"{table.n_candidates:,} candidates would hold too few each",
                RelHashWarning,
                stacklevel=4,
            )
        code, self.interrupted_ = GreedyCode(table, settings, seed), False
        try:
            code.grow(self.callback)
        except KeyboardInterrupt as interrupt:
            if not code.functions or type(interrupt) is not KeyboardInterrupt:  # SIGTERM wants an end, not a shorter code
                raise
            self.interrupted_ = True
            message = f"interrupted: the code has {len(code.functions)} of {self.n_bits} bits"
            warnings.warn(message, RelHashWarning, stacklevel=3)
        gather_references(code.functions)
        self.functions_, self.family_, self.kernels_ = code.functions, table.family, dict(table.kernels)
        self.trace_ = with_deletions(code.steps)

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, NDArray[Any]], kernels: Mapping[str, Sequence[Kernel]], *, n_jobs: int | None = None
    ) -> HashcodeLearner:
        """A learner that hashes like the one whose :meth:`to_arrays` and ``kernels_`` these are.

        Parameters of the search (``split``, ``sampling``, …) are not stored: nothing that is learned needs them any more.
        """
        family, functions = functions_from_arrays(arrays, kernels)
        learner = cls(len(functions), hash_function=family, n_jobs=n_jobs)
        learner.functions_, learner.family_ = functions, family
        learner.kernels_ = {view: tuple(offered) for view, offered in kernels.items()}
        learner.trace_ = ()
        learner.interrupted_ = False
        references = learner.functions_[0].references
        if isinstance(references, np.ndarray) and learner.functions_[0].view == ONLY_VIEW:
            learner.n_features_in_ = references.shape[1]
        return learner

    def _settings(self) -> Settings:
        require(0 < self.target_share < 1, "target_share", self.target_share, "between 0 and 1")
        own = {field.name: getattr(self, field.name) for field in fields(Settings)}
        return Settings(**{**own, "n_references": tuple(np.atleast_1d(np.asarray(self.n_references)).tolist())})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # bits, whatever the type of the data
        return tags
