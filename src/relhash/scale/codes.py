"""Hash functions learned from more text than one memory holds: ``relhash codes fit --engine dask``.

The text is cut into partitions, each of which becomes a part of the population on some worker: read, parsed, its candidates
made and their structures built there. The driver sees counts only. The functions are those that one process would learn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import relhash
from relhash.errors import CorpusError, ParameterError, StructureError
from relhash.hashing.trace import Progress
from relhash.language.parse_cache import ParseCache
from relhash.models.fitting.adjustment import adjusted
from relhash.models.interaction_presets import preset_for
from relhash.models.reading.parse_settings import AUTO, ParseSettings
from relhash.models.reading.parses import NO_PARSE, parse_source, parsed_views
from relhash.models.reading.reader import Reader, choose_parses, lacks, to_lexicon, types_of
from relhash.models.shared_codes import SharedCodes, settled
from relhash.scale.part import PartSource, kernels_of
from relhash.scale.partitions import Partition, count_documents, cut, find_files
from relhash.scale.population import ClusterPopulation
from relhash.structures import CandidatePolicy, PairPolicy, StructureSet, build_structures, candidates
from relhash.today import today

if TYPE_CHECKING:
    from distributed import Client

    from relhash.corpus import Document


def fit_codes(
    text: Sequence[Path],
    adapt_to: Sequence[Path],
    client: Client,
    *,
    preset: str = "best",
    learner: Mapping[str, Any] | None = None,
    policy: CandidatePolicy | None = None,
    parses: str = AUTO,
    lexicon: Path | None = None,
    cache: bool = True,
    format: str | None = None,
    lenient: bool = False,
    partition_size: int = 1000,
    random_state: int = 0,
    callback: Callable[[Progress], object] | None = None,
    on_partition: Callable[[int], object] | None = None,
) -> SharedCodes:
    """:meth:`SharedCodes.fit <relhash.models.SharedCodes.fit>` on a cluster, from files that all its workers can see.

    Parameters
    ----------
    text, adapt_to
        Files, folders or patterns.
    parses
        As for ``SharedCodes.fit``. With ``"auto"`` the first partition of the text says whose parses its files have, if no
        document lacks one.
    on_partition
        Called with the number of all partitions whenever one was read, which is what takes long.
    """
    policy = policy or PairPolicy()
    chosen = settled(adjusted(preset_for(preset, policy), learner=learner), preset)
    settings = chosen.code
    settings.check()
    sides = []
    for paths in (text, adapt_to):
        files = find_files(paths, format) if paths else []
        sides.append(cut(files, count_documents(files, client) if files else [], partition_size))
    reading = _reading(sides, parses, settings.views, policy, client)
    kernels = partial(kernels_of, settings)
    lexicon = None if lexicon is None else lexicon.absolute()  # workers may stand elsewhere
    sources = [
        PartSource(partial(_structures, one, reading, lexicon, cache, policy, tuple(settings.views), lenient), kernels)
        for side in sides
        for one in side
    ]
    code = settings.make(random_state=random_state, n_jobs=1, callback=callback)
    seed = code.learner.seed()
    population = ClusterPopulation(client, sources, len(sides[0]) if adapt_to else None, code.learner, seed, on_partition)
    code.learner.fit_population(population, seed)
    population.settle(code.learner.functions_)
    code.words = tuple(sorted({token for order in population.vocabularies.values() for token in order}))
    source = _only_source(population.notes)
    n_train = len(sides[0])
    card = {
        "made": today(),
        "relhash": relhash.__version__,
        "preset": preset,
        "text": _counts(population.notes[:n_train]),
        "adapted_to": _counts(population.notes[n_train:]) if adapt_to else None,
        "parses": source,
        "views": list(settings.views),
        "n_bits": code.n_bits,
        "seed": random_state,
    }
    return SharedCodes(code, settings, policy.kind, reading, source, card)


def _structures(
    partition: Partition,
    reading: ParseSettings,
    lexicon: Path | None,
    cache: bool,
    policy: CandidatePolicy,
    views: Sequence[str],
    lenient: bool,
) -> tuple[StructureSet, dict[str, Any]]:
    """The structures of a partition, and what they were made from."""
    reader = Reader(reading, lexicon=to_lexicon(lexicon), cache=ParseCache() if cache else None, ground=True)
    found = list(candidates(reader(_documents(partition, lenient)), policy))
    notes = {
        "documents": len({candidate.document.id for candidate in found}),
        "candidates": len(found),
        "parses": parse_source(found) if found else NO_PARSE,
    }
    return build_structures(found, views), notes


def _documents(partition: Partition, lenient: bool) -> list[Document]:
    broken: list[dict[str, Any]] = []
    documents = list(partition.documents(broken))
    if broken and not lenient:
        raise CorpusError(broken[0]["error"], remedy="--lenient leaves such documents out")
    return documents


def _reading(
    sides: Sequence[Sequence[Partition]], parses: str, views: Sequence[str], policy: CandidatePolicy, client: Client
) -> ParseSettings:
    """How the text is read, from what the workers see of it."""
    needs = {"needs_parse": bool(parsed_views(views)), "needs_split": policy.needs_sentences}
    if not sides[0]:
        raise ParameterError("the text has no documents")
    first = _documents(sides[0][0], True)
    if parses != AUTO:
        chosen = choose_parses(parses, first, [], **needs)
    else:
        lacking = client.gather(
            client.map(partial(_needs_pipeline, needs=needs), [one for side in sides for one in side], pure=False)
        )
        chosen = choose_parses("embedded" if any(lacking) else AUTO, first, [], **needs)
    if not chosen.uses_pipeline:
        return chosen
    types = {one for found in client.gather(client.map(_types, list(sides[0]), pure=False)) for one in found}
    return ParseSettings.from_dict({**chosen.as_dict(), "types": sorted(types) or None}, trusted=chosen.source)


def _needs_pipeline(partition: Partition, needs: Mapping[str, bool]) -> bool:
    return any(lacks(document, needs["needs_parse"], needs["needs_split"]) for document in _documents(partition, True))


def _types(partition: Partition) -> tuple[str, ...]:
    return types_of(_documents(partition, True)) or ()


def _only_source(notes: Sequence[Mapping[str, Any]]) -> str:
    found = sorted({str(one["parses"]) for one in notes if one["candidates"]} - {NO_PARSE})
    if len(found) > 1:
        raise StructureError(f"the text has parses of several sources: {', '.join(found)}; parse it anew: --parses embedded")
    return found[0] if found else NO_PARSE


def _counts(notes: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {name: sum(one[name] for one in notes) for name in ("documents", "candidates")}
