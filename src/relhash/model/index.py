"""An index of text: every pair of entities in it, to be searched for sentences that say something like this one.

A folder of parts, each an Arrow file that is mapped into memory: a row has its code, the tokens that the kernels compare, the
sentence and where the entities stand. ``_codes.relhash`` holds the hash functions (nearly-unsupervised, nearest references,
learned from a bounded sample of the text) with the kernels and how text is read, so the folder can be searched without the
model that made it. Parts are added, never rewritten.

Arrow and not Parquet: a query wants 200 rows from anywhere, which a map of memory gives at once and Parquet only by unpacking
the groups of rows around them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, PairPolicy, PathSet, StructureSet, build_structures, candidates
from relhash.candidates.candidate import FIRST, SECOND
from relhash.candidates.views import sequence_view
from relhash.corpus.document import Document, Mention, Sentence, spanned_text
from relhash.corpus.read_write import CorpusLike, documents_of
from relhash.corpus.tables.reader import unmarked
from relhash.errors import CorpusError, DataMissingError, ModelFileError, ParameterError, RelHashError
from relhash.files import replacing, today
from relhash.hashing.hamming import LISTED, search
from relhash.learn.codes import Code, make_code
from relhash.model.fitted import PairTypes
from relhash.model.judging import candidates_of
from relhash.model.model_file import ArchiveKind, read_archive, write_archive
from relhash.model.reading.reader import ParseSettings, Reader, parse_source, parsed_views
from relhash.model.tables.columns import marked_sentence_of

if TYPE_CHECKING:
    from relhash.kernels import WordVectors
    from relhash.model.fitted import FittedModel

CODES, SUFFIX = "_codes.relhash", ".arrow"
FUNCTIONS = ArchiveKind("relhash-codes", 1, "index", "relhash hash")
BITS = 128
VIEWS = ("path+edges", "path+context", "window(3,3)")
"""What is compared. The mean of these kernels orders better than any of them (P@10 on AIMed and BioInfer)."""
SAMPLE = 4000
"""Pairs that the hash functions are learned from: 2,000 had a recall .01 below that of all 15,500."""
COUNTS = b"relhash"
NO_RELATION = "none"
_REMEDY = "make it again: relhash hash MODEL TEXT -o index/"


@dataclass(frozen=True, slots=True)
class Found:
    """A pair of the index: its number, how alike it is to what was asked for (0 to 1), and the pair with its sentence.

    ``label`` is the type of its relation, ``"none"`` for a pair that a labelled text does not relate, empty without a label.
    """

    row: int
    similarity: float
    candidate: Candidate
    label: str

    def as_row(self) -> dict[str, Any]:
        document = self.candidate.document
        first, second = sorted(zip(self.candidate.roles, self.candidate.mentions, strict=True))
        return {
            "similarity": round(self.similarity, 3),
            "label": self.label,
            "document": document.id,
            "entity1": first[1].text,
            "ids1": ";".join(first[1].ids),
            "entity2": second[1].text,
            "ids2": ";".join(second[1].ids),
            "marked": marked_sentence_of(self.candidate),
            "row": self.row,
        }


class Index:
    """The pairs of a text with their codes; :meth:`similar` searches them.

    >>> import relhash, tempfile
    >>> model = relhash.load("ppi")
    >>> folder = Path(tempfile.mkdtemp())
    >>> text = "RAF1 binds to MEK1. STAT3 associates with JAK2. CD4 and CD8 were absent. TP53 is bound by MDM2."
    >>> index = Index.made(model, text, folder)
    >>> [found.candidate.mentions[0].text for found in index.similar("[E1]GRB2[/E1] binds to [E2]SOS1[/E2].", n=2)]
    ['RAF1', 'STAT3']
    """

    def __init__(
        self, folder: Path, code: Code, views: Sequence[str], parses: ParseSettings, parse_source: str, card: Mapping[str, Any]
    ) -> None:
        self.folder, self.code, self.views, self.card = folder, code, tuple(views), card
        self.parses, self.parse_source = parses, parse_source

    @staticmethod
    def is_at(path: Path) -> bool:
        """Whether a folder is an index."""
        return (path / CODES).is_file()

    @classmethod
    def open(cls, folder: str | Path, *, parses: str | None = None) -> Index:
        """The index that ``relhash hash`` made; ``parses`` is a spaCy model that it may name beside what ships."""
        folder = Path(folder)
        check_arrow(folder)
        if not cls.is_at(folder):
            what = "a table of codes, which cannot be searched" if folder.is_file() else "no index of RelHash"
            raise CorpusError(what, path=folder, remedy="make one: relhash hash MODEL TEXT -o index/")
        path = folder / CODES
        manifest, arrays = read_archive(path, FUNCTIONS)
        try:
            code = Code.from_arrays(arrays["code.npz"], manifest["code"], None, None)
            read_by = ParseSettings.from_dict(manifest["reading"]).trusting(parses)
            views = [sequence_view(name).name for name in manifest["views"]]
            return cls(folder, code, views, read_by, str(manifest["parses"]), dict(manifest["card"]))
        except (ModelFileError, DataMissingError) as error:
            raise type(error)(f"{path}: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, RelHashError) as error:
            what = f"not hash functions that this version understands ({type(error).__name__}: {error})"
            raise ModelFileError(f"{path}: {what}; {_REMEDY}") from error

    @classmethod
    def learned(
        cls, model: FittedModel, sample: Iterable[Document], folder: Path, *, n_bits: int = BITS, random_state: int = 0
    ) -> Index:
        """An index without parts: hash functions for the text that ``sample`` is drawn from."""
        check_arrow(folder)
        views = VIEWS if parsed_views(model.settings.all_views) else VIEWS[-1:]
        found = list(chain.from_iterable(pairs_of(model, [document]) for document in sample))
        if not found:
            raise ParameterError("the text has no candidates: no sentence holds two entities that may relate")
        found = [found[place] for place in np.linspace(0, len(found) - 1, min(SAMPLE, len(found))).astype(int)]
        learner = {"n_bits": n_bits, "hash_function": "nearest"}
        kernel, vectors = model.settings.kernel, _vectors_of(model)
        code = make_code(views, learner, kernel, vectors=vectors, random_state=random_state, n_jobs=model.n_jobs)
        code.learn(build_structures(found, views))
        policy, made_by = pair_policy(model), model.identity
        card = {
            "made": today(),
            "n_bits": n_bits,
            "sample": len(found),
            "seed": random_state,
            "model": {"name": made_by.name, "version": made_by.version} if made_by else {},
            "policy": policy.to_dict(),
            "pair_types": model.pair_types.as_list(),
        }
        source = parse_source(found) if parsed_views(views) else model.parse_source
        arrays, notes = code.to_arrays()
        manifest = {"views": list(views), "reading": model.parses.to_dict(), "parses": source, "code": notes, "card": card}
        folder.mkdir(parents=True, exist_ok=True)
        write_archive(folder / CODES, FUNCTIONS, manifest, {"code.npz": arrays})
        return cls.open(folder, parses=model.parses.source)  # as every later reader opens it

    @classmethod
    def made(cls, model: FittedModel, corpus: Any, folder: str | Path, *, n_bits: int = BITS, random_state: int = 0) -> Index:
        """An index of text that fits into memory, in one part."""
        folder, documents = Path(folder), list(model.read(corpus))
        index = cls.learned(model, documents, folder, n_bits=n_bits, random_state=random_state)
        index.write_part(folder / f"part-000000{SUFFIX}", [list(pairs_of(model, documents))])
        return index

    @property
    def n_bits(self) -> int:
        return self.code.n_bits

    @property
    def kernels(self) -> Any:
        return self.code.learner.kernels_

    @property
    def policy(self) -> PairPolicy:
        """Which pairs the index holds."""
        return PairPolicy.from_dict(self.card["policy"])

    def pairs(self, corpus: CorpusLike) -> list[Candidate]:
        """The pairs of another text, read as the text of the index was."""
        allow = PairTypes.from_list(self.card["pair_types"]).allow
        read = Reader(self.parses, ground=True)(documents_of(corpus))
        return list(candidates(read, self.policy, allow=allow))

    def hashed(self, structures: StructureSet) -> NDArray[np.uint64]:
        """Packed codes of candidates."""
        return np.asarray(self.code.learner.codes(structures))

    def write_part(
        self, path: Path, batches: Iterable[Sequence[Candidate]], counts: Callable[[], dict[str, Any]] | None = None
    ) -> int:
        """Write the pairs of a part, whole or not at all; ``counts`` (a function, asked at the end) go with it."""
        import pyarrow as pa

        found: list[Candidate] = []
        structures: list[StructureSet] = []
        codes = [np.empty((0, -(-self.n_bits // 64)), np.uint64)]
        for batch in batches:
            if batch:
                found += batch
                structures.append(build_structures(batch, self.views))
                codes.append(self.hashed(structures[-1]))
        columns: dict[str, Any] = dict(zip(_WHERE, _columns(found), strict=True))
        columns |= {f"code{number}": word for number, word in enumerate(np.concatenate(codes).T.copy())}
        for view in self.views:
            columns[view] = _token_column([paths for one in structures if isinstance(paths := one[view], PathSet)])
        counted = json.dumps(counts() if counts else {}, ensure_ascii=False).encode()
        batch = pa.RecordBatch.from_pydict(columns).replace_schema_metadata({COUNTS: counted})
        with replacing(path, "wb") as handle, pa.ipc.new_file(handle, batch.schema) as writer:
            writer.write_batch(batch)
        return len(found)

    @cached_property
    def parts(self) -> list[ArrowPart]:
        """The parts that are there, in order."""
        words = -(-self.n_bits // 64)
        return [ArrowPart(path, words, self.views) for path in sorted(self.folder.glob(f"part-*{SUFFIX}"))]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The number of the first row of each part, and that of all rows."""
        return np.cumsum([0, *(part.columns.shape[1] for part in self.parts)])

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __repr__(self) -> str:
        return f"Index({str(self.folder)!r}: {len(self):,} pairs, {self.n_bits} bits)"

    def candidate(self, row: int) -> tuple[Candidate, str]:
        """A pair of the index with its sentence as the document, and its label."""
        part = int(np.searchsorted(self.starts, row, "right")) - 1
        return self.parts[part].candidate(row - int(self.starts[part]))

    def structures(self, rows: Sequence[int] | NDArray[np.int64]) -> StructureSet:
        """What the kernels compare, of some rows in rising order; only their tokens are made to strings."""
        numbers = np.asarray(rows, np.int64)
        where = np.searchsorted(self.starts, numbers, "right") - 1
        sequences: dict[str, list[list[str]]] = {view: [] for view in self.views}
        for part in np.unique(where).tolist():
            for view in self.views:
                sequences[view] += self.parts[part].sequences(view, numbers[where == part] - self.starts[part])
        return StructureSet({view: PathSet.from_sequences(own) for view, own in sequences.items()})

    def similar(self, marked: str, *, n: int = 10, listed: int = LISTED) -> list[Found]:
        """The pairs most like a marked sentence (``[E1]RAF1[/E1] binds [E2]MEK1[/E2]``), the best first."""
        return self.similar_to([self.query(marked)], n=n, listed=listed)[0]

    def similar_to(
        self, queries: Sequence[Candidate] | StructureSet, *, n: int = 10, listed: int = LISTED
    ) -> list[list[Found]]:
        """The same for candidates that are read already, or for their structures."""
        given = queries if isinstance(queries, StructureSet) else build_structures(queries, self.views)
        columns = [part.columns for part in self.parts]
        found = search(self.kernels, columns, self.structures, self.hashed(given), given, n=n, listed=listed)
        return [
            [Found(row, value, *self.candidate(row)) for value, row in zip(values.tolist(), rows.tolist(), strict=True)]
            for values, rows in found
        ]

    def like(self, row: int, *, n: int = 10, listed: int = LISTED) -> list[Found]:
        """The pairs most like a row of the index, without itself."""
        if not 0 <= row < len(self):
            raise ParameterError(f"there is no row {row}: the index has {len(self):,}, from 0 on")
        found = self.similar_to(self.structures([row]), n=n + 1, listed=listed + 1)[0]
        return [one for one in found if one.row != row][:n]

    def query(self, marked: str) -> Candidate:
        """A marked sentence as a candidate, read as the text of the index was."""
        try:
            text, *places = unmarked(marked)
        except CorpusError as error:
            raise ParameterError(f"{marked!r}: {error.message}; {error.remedy}") from None
        ends = [Mention(f"e{number}", "protein", spans, spanned_text(text, spans)) for number, spans in enumerate(places, 1)]
        document = Document("query", text, (Sentence("query.s", 0, len(text)),), tuple(ends))
        (read,) = Reader(self.parses)([document])
        if not self.parses.uses_pipeline and parsed_views(self.views):
            raise ParameterError(
                f"the index has the parses of its files ({self.parse_source}), and nothing parses a new sentence like "
                "that; search for rows (--like N), or make it with a model that parses (relhash fit --parses embedded)"
            )
        roles = dict(zip((one.id for one in ends), (FIRST, SECOND), strict=True))
        mentions = sorted((one for one in read.mentions if one.id in roles), key=lambda one: one.spans)
        policy = self.policy  # pairs of like entities have no roles but their order
        has_roles = policy.directed or any(one != two for one, two in policy.types or ())
        named = tuple(roles[one.id] for one in mentions) if has_roles else (FIRST, SECOND)
        return Candidate(read, 0, tuple(mentions), named)


class ArrowPart:
    """One part of an index, mapped into memory."""

    def __init__(self, path: Path, words: int, views: Sequence[str]) -> None:
        import pyarrow as pa

        self.path = path
        try:
            # the map outlives the handle of the file: of these a process has some thousand at most
            mapped = np.memmap(path, np.uint8, "r")
            self._batch = pa.ipc.open_file(pa.py_buffer(mapped)).get_batch(0)
            self._words = [self._batch.column(f"code{number}").to_numpy() for number in range(words)]
            columns = {view: self._batch.column(view) for view in views}
            self._tokens = {
                view: (column.offsets.to_numpy(), column.values.indices.to_numpy(), column.values.dictionary)
                for view, column in columns.items()
            }
            self._said = self._batch.select(list(_WHERE))
            for _, _, vocabulary in self._tokens.values():
                vocabulary.validate(full=True)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            raise self._damaged(error) from error

    @cached_property
    def columns(self) -> NDArray[np.uint64]:
        return np.stack(self._words)

    def sequences(self, view: str, rows: NDArray[np.int64]) -> list[list[str]]:
        """The tokens of some rows."""
        import pyarrow as pa

        offsets, numbers, vocabulary = self._tokens[view]
        starts, ends = offsets[rows].tolist(), offsets[rows + 1].tolist()
        if any(not 0 <= start <= end <= len(numbers) for start, end in zip(starts, ends, strict=True)):
            raise self._damaged("tokens of a row lie outside the file")
        pieces = [numbers[start:end] for start, end in zip(starts, ends, strict=True)]
        try:
            tokens = iter(vocabulary.take(pa.array(np.concatenate(pieces))).to_pylist())
        except pa.ArrowException as error:
            raise self._damaged(error) from error
        return [list(islice(tokens, end - start)) for start, end in zip(starts, ends, strict=True)]

    def candidate(self, row: int) -> tuple[Candidate, str]:
        """A pair with its sentence as the document, and its label."""
        import pyarrow as pa

        mentions = []
        try:
            own = self._said.slice(row, 1)
            own.validate(full=True)  # Arrow itself follows any offset
            (said,) = own.to_pylist()
            for number in (1, 2):
                spans = tuple(zip(said[f"spans{number}"][::2], said[f"spans{number}"][1::2], strict=True))
                ids = tuple(filter(None, said[f"ids{number}"].split(";")))
                text = spanned_text(said["sentence"], spans)
                mentions.append(Mention(f"e{number}", said[f"type{number}"], spans, text, ids))
        except (pa.ArrowException, CorpusError, ValueError, TypeError, AttributeError) as error:
            raise self._damaged(error) from error
        roles = (FIRST, SECOND)
        if mentions[1].spans < mentions[0].spans:
            mentions, roles = mentions[::-1], (SECOND, FIRST)
        text = said["sentence"]
        document = Document(said["document"], text, (Sentence("s", 0, len(text)),), tuple(mentions))
        return Candidate(document, 0, tuple(mentions), roles), said["label"]

    def _damaged(self, why: object) -> CorpusError:
        return CorpusError(f"not a part of an index ({why})", path=self.path, remedy=_REMEDY)


_WHERE = ("document", "start", "sentence", "type1", "spans1", "ids1", "type2", "spans2", "ids2", "label")
"""Columns that say where a pair stands; spans are characters of the sentence, ``start`` is that of the sentence."""


def pairs_of(model: FittedModel, documents: Iterable[Document]) -> Iterator[Candidate]:
    """The pairs of documents that are read already: those of the model, or all, if it makes other candidates than pairs."""
    return candidates_of(replace(model, policy=pair_policy(model)), documents)


def pair_policy(model: FittedModel) -> PairPolicy:
    return model.policy if isinstance(model.policy, PairPolicy) else PairPolicy()


def _vectors_of(model: FittedModel) -> WordVectors | None:
    """Word vectors of the user's own, if the model compares with some."""
    kernels = model.features.code.learner.kernels_.values() if model.features.code else ()
    found = (kernel.word_vectors for offered in kernels for kernel in offered)
    return next((one for one in found if one is not None), None)


def check_arrow(folder: Path) -> None:
    """An error with the remedy, if the package that an index needs is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise DataMissingError(
            f"{folder}: an index needs pyarrow, which is not installed; pip install 'relhash[parquet]'"
        ) from error


def _columns(found: Sequence[Candidate]) -> list[Any]:
    """The columns of :data:`_WHERE`."""
    import pyarrow as pa

    rows = [_where(candidate) for candidate in found]
    values = list(zip(*rows, strict=True)) if rows else [()] * len(_WHERE)
    types = {"start": pa.int64(), "spans1": pa.list_(pa.int32()), "spans2": pa.list_(pa.int32())}
    return [
        pa.array(own, types[name]) if name in types else pa.array(own, pa.string()).dictionary_encode()
        for name, own in zip(_WHERE, values, strict=True)
    ]


def _where(candidate: Candidate) -> tuple[Any, ...]:
    document = candidate.document
    sentence = document.sentences[candidate.sentence] if document.sentences else Sentence("", 0, len(document.text))
    start, end = sentence.start, max(sentence.end, *(mention.end for mention in candidate.mentions))
    ends: list[Any] = []
    for _, mention in sorted(zip(candidate.roles, candidate.mentions, strict=True), key=lambda pair: pair[0]):
        spans = [place - start for span in mention.spans for place in span]
        ends += [mention.type, spans, ";".join(mention.ids)]
    is_labelled = bool(document.relations) or document.candidates is not None
    label = ";".join(candidate.relations) or (NO_RELATION if is_labelled else "")
    return document.id, start, document.text[start:end], *ends, label


def _token_column(sets: Sequence[PathSet]) -> Any:
    """Sequences as a column: lists of numbers into a list of the distinct tokens."""
    import pyarrow as pa

    paths = PathSet.concatenate(sets) if sets else PathSet.from_sequences([])
    lengths = paths.unique_lengths[paths.rows]
    ends = np.cumsum(lengths)
    places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(paths.offsets[paths.rows] - ends + lengths, lengths)
    tokens = pa.DictionaryArray.from_arrays(pa.array(paths.tokens[places]), pa.array(list(paths.vocabulary), pa.string()))
    return pa.ListArray.from_arrays(pa.array(np.concatenate([[0], ends]).astype(np.int32)), tokens)
