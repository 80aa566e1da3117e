"""Corpora prepared for many runs: candidates once, each view once, however many systems and seeds look at them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, PathSet, StructureSet, build_structures, candidates
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.view import CompactTable
from relhash.corpus import Corpus, Document, read
from relhash.errors import DataMissingError, ParameterError
from relhash.model.reading.reader import FILE, Reader, choose_parses

if TYPE_CHECKING:
    from relhash.bench.systems.prior_votes import PriorVotes
    from relhash.show.stated import AnyWord


class Dataset:
    """Candidates of one or more corpora, with their structures built view by view as they are asked for.

    Attributes
    ----------
    candidates, y, documents
        The candidates, their gold labels, and the document each stands in.
    corpus
        Number of the corpus of each candidate.
    notes
        What is to be said with every table of this data.
    subsets
        For splits by given subsets: the subset in which each candidate is tested, -1 if in none.
    kept_apart
        For splits by given subsets: what each candidate is about; others about the same as a tested one do not train.
    pairs
        Number of the pair of entities that each candidate is about, where several candidates are about one; else ``None``.
    prior
        What the prior of the protocol says of each candidate, where a system asks for it.
    unreached
        Of each test set, by the number of its fold, the relations that are stated and that no candidate reaches; recall over
        everything stated counts them as missed. Empty where they were not counted.
    any_word
        What the candidates are without their triggers, where that is asked for.
    parsed_by
        The pipeline whose parses the corpora were given; empty if they keep those of their files.
    """

    def __init__(
        self,
        corpora: Sequence[Iterable[Document]],
        policy: CandidatePolicy | None = None,
        *,
        parses: str = FILE,
        learned_from: Sequence[int] = (),
    ) -> None:
        """``learned_from`` are the numbers of the corpora that the policy was fitted on."""
        self.parsed_by = ""
        if parses != FILE:
            self.parsed_by, corpora = _parsed(corpora, parses)
        own = [
            list(policy.training_candidates(corpus) if policy and number in learned_from else candidates(corpus, policy))
            for number, corpus in enumerate(corpora)
        ]
        if not all(own):
            raise ParameterError("a corpus of the protocol has no candidates")
        self.candidates: list[Candidate] = [candidate for of_corpus in own for candidate in of_corpus]
        self.corpus = np.repeat(np.arange(len(own)), [len(of_corpus) for of_corpus in own])
        self.y = np.array([candidate.is_positive for candidate in self.candidates])
        self.documents = np.array([f"{n}/{c.document.id}" for n, c in zip(self.corpus, self.candidates, strict=True)])
        self.notes: list[str] = [f"parses of {self.parsed_by}, not those of the files"] if self.parsed_by else []
        self.subsets: NDArray[np.int64] | None = None
        self.kept_apart: NDArray[Any] | None = None
        self.pairs: NDArray[np.int64] | None = None
        self.prior: PriorVotes | None = None
        self.unreached: dict[int, int] = {}
        self.any_word: AnyWord | None = None
        self._views: dict[str, PathSet | CompactTable | NDArray[np.float32]] = {}
        self._columns: dict[str, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self.candidates)

    def structures(self, views: Sequence[str]) -> StructureSet:
        """All candidates in these views."""
        missing = [name for name in views if name not in self._views]
        if missing:
            built = build_structures(self.candidates, missing)
            self._views.update(built.views)
            self._columns.update(built.columns)
        columns = {name: self._columns[name] for name in views if name in self._columns}
        return StructureSet({name: self._views[name] for name in views}, columns=columns)


def _parsed(corpora: Sequence[Iterable[Document]], parses: str) -> tuple[str, list[list[Document]]]:
    """The corpora as a model fitted with ``--parses`` would read them, and what the parser calls itself."""
    own = [list(corpus) for corpus in corpora]
    everything = [document for corpus in own for document in corpus]
    settings = choose_parses(parses, everything, [], needs_parse=True, needs_split=True)
    return settings.parser, [list(Reader(settings)(corpus, tag=False)) for corpus in own]


def data_root(given: Path | None) -> Path:
    """The folder with ``ppi/``, ``bionlp/`` …: the one given, ``RELHASH_DATA``, or ``../shared/data``."""
    if given is None:
        given = Path(os.environ.get("RELHASH_DATA") or Path("..") / "shared" / "data")
    if not given.is_dir():
        raise DataMissingError(
            f"{given}: there is no such folder; say where the benchmark corpora are with --data DIR or RELHASH_DATA "
            "(a folder that holds ppi/AIMed.xml and so on)"
        )
    return given


def read_benchmark_corpus(root: Path, name: str) -> Corpus:
    """A corpus below the data root."""
    path = root / name
    if not path.exists():
        raise DataMissingError(f"{path}: this benchmark needs the corpus {name} below the data folder, and it is not there")
    return read(path)
