"""``relhash fit TRAIN… --adapt TARGET -o MODEL``: learn a model.

``relhash fit --answers``: a model taught by the answers that people gave to ``relhash review``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from relhash.cli import options
from relhash.cli.console import FitPhases, console, note, print_json, progress
from relhash.cli.corpus_input import CorpusInput, begun

if TYPE_CHECKING:
    from relhash.candidates import CandidatePolicy
    from relhash.model import FittedModel


ENOUGH_DRAWN = 10
"""Accepted rows that were drawn at random and answered, from which it is said how many are right."""


def teach_from_files(
    answers: Sequence[Path],
    prior: str | FittedModel,
    texts: Sequence[CorpusInput],
    unused: Mapping[str, Any],
    *,
    threshold: str | None,
    lexicon: Path | None,
    cache: bool,
    seed: int,
    n_jobs: int | None,
    silent: bool,
) -> FittedModel:
    """The model after the answers; ``unused`` are options that make no sense here, refused if they were given.

    ``prior`` is the model that was asked, by its name or, where a sheet was learned just before, itself.
    """
    from relhash.errors import ParameterError
    from relhash.model import FittedModel
    from relhash.model.answers.teaching import Teaching
    from relhash.model.prior import AUTO_PRIOR, NO_PRIOR, SHIPPED_PRIOR

    for name, value in unused.items():
        if value:
            raise ParameterError(f"{name}: answers teach a model that exists (--prior), whose features stay; leave it out")
    if not texts:
        raise ParameterError("--answers: name the text that the answers are about (--adapt TEXT)")
    if prior == NO_PRIOR:
        raise ParameterError("--answers: name the model that asked the questions (--prior MODEL)")
    if isinstance(prior, str):
        prior = SHIPPED_PRIOR if prior == AUTO_PRIOR else prior
        fitted = FittedModel.load(prior, lexicon=lexicon, cache=cache, n_jobs=n_jobs)
    else:
        fitted = prior
    with progress("documents", quiet=silent) as step:
        documents = (document for text in texts for document in text.stream(step))
        teaching, given = Teaching.answered(fitted, documents, answers, random_state=seed)
    taught = teaching.taught_by(given)
    if taught.model is fitted:
        note("no answer says yes or no; the model stays as it was", quiet=silent)
    for text in texts:
        text.remark(quiet=silent)
    found = teaching.warranty(taught, given)
    if found is None or found.drawn < ENOUGH_DRAWN:
        n_drawn = 0 if found is None else found.drawn
        note(f"too few answers to say how many accepted rows are right ({n_drawn} of {ENOUGH_DRAWN} draws)", quiet=silent)
    else:
        note(
            f"by {found.drawn} questions on accepted rows that were drawn at random: {found.precision} of the accepted rows of "
            f"this text are right, and {found.recall} of its relations are among them",
            quiet=silent,
        )
    return taught.model if threshold is None else taught.model.accepting_from(_probability(threshold))


def _probability(threshold: str) -> float:
    from relhash.errors import ParameterError
    from relhash.learn.threshold import parse_strategy

    name, value = parse_strategy(threshold)
    if name != "fixed":
        raise ParameterError(f"--threshold {threshold}: with answers only a probability can be given, such as 0.5")
    return value


learning = partial(typer.Option, rich_help_panel="What is learned")


@dataclass(frozen=True)
class Kind:
    """What a candidate is."""

    types: options.Types = None
    directed: Annotated[bool, learning("--directed", help="Tell the two directions of a pair apart.")] = False
    interactions: Annotated[
        bool,
        learning(
            "--interactions",
            help="Learn interactions instead of pairs: a trigger word, its type, participants in roles (from BioNLP or brat).",
        ),
    ] = False
    one_participant: Annotated[
        bool,
        learning(
            "--one-participant",
            help="With --interactions: also those of one participant (an expression, a regulation without a cause), around "
            "which others are nested.",
        ),
    ] = False
    open_types: Annotated[
        bool,
        learning(
            "--open-types",
            help="Learn interactions of any type from statements with a verb, a cause and a theme, such as NERO's: in new text "
            "every verb may name one.",
        ),
    ] = False
    max_pairs: options.MaxPairs = None

    def policy(self) -> CandidatePolicy:
        """Pairs of mentions, or interactions whose trigger words are learned from the training text.

        Of types interactions only take which entities may take part, in whatever role.
        """
        policy = self._unbounded()
        return policy if self.max_pairs is None else policy.with_max_pairs(self.max_pairs)

    def _unbounded(self) -> CandidatePolicy:
        from relhash.candidates import PairPolicy, parse_types
        from relhash.errors import ParameterError

        types = None if self.types is None else parse_types(self.types)
        if self.one_participant and not self.interactions:
            raise ParameterError("--one-participant is for --interactions: a pair has two")
        if self.open_types:
            from relhash.candidates.statements.open_policy import OpenPolicy

            if self.directed or types is not None:
                raise ParameterError("--open-types takes neither --directed nor --types: roles tell the directions")
            return OpenPolicy()
        if not self.interactions:
            return PairPolicy(types=types, directed=self.directed)
        from relhash.candidates.statements import InteractionPolicy

        if self.directed:
            raise ParameterError("--directed is for pairs; interactions have roles, which tell the directions apart")
        members = None if types is None else sorted({name for pair in types for name in pair})
        return InteractionPolicy(entity_types=members, one_participant=self.one_participant)


def fit(
    kind: Kind,
    texts: options.Texts,
    said: options.Verbosity,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="The model file to write.")],
    train: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="TRAIN",
            help="Labelled corpora, in any format. None: the prior alone, fitted to TARGET.",
            show_default=False,
        ),
    ] = None,
    adapt: Annotated[
        list[Path] | None,
        typer.Option(
            "--adapt", metavar="TARGET", help="Text like that to be read; its labels are never looked at. Repeatable."
        ),
    ] = None,
    preset: Annotated[str, typer.Option(help="A system by name: best, KLSH-NU-RF, KLSH-RF, KLSH-kNN, random, …")] = "best",
    recipe: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="How the model is made, as TOML, in place of --preset (relhash info --recipe best prints one).",
            dir_okay=False,
        ),
    ] = None,
    labels: Annotated[
        int | None, typer.Option(metavar="N", min=4, help="Use only N labelled candidates, drawn at random.")
    ] = None,
    threshold: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Where a relation begins. fraction: as many as the labels say (default where they are all pairs of their "
            "text); share:0.2: one in five pairs; precision:0.8: as many as are that precise; fixed:0.5: from this probability "
            "on.",
        ),
    ] = None,
    expect: options.Expect = None,
    views: Annotated[
        str | None, learning(metavar="VIEW,…", help="What the hash functions compare, such as path+edges,between.")
    ] = None,
    classifier: Annotated[str | None, learning(help="forest, linear or neighbours, in place of the preset's own.")] = None,
    parses: Annotated[
        str,
        options.reading(
            metavar="file|embedded",
            help="file: the parses that the corpora carry. embedded: everything is parsed by the pipeline that ships, and so "
            "will be what the model reads later, raw text included. By default embedded if any text has no parses, else file. "
            "Also the name of an installed spaCy model.",
        ),
    ] = "auto",
    lexicon: options.Lexicon = None,
    negated_are_negative: Annotated[
        bool,
        learning(
            "--negated-are-negative",
            help="Count training pairs as negative where their sentence denies the relation: for corpora that label them as "
            "relations, such as BioInfer.",
        ),
    ] = False,
    prior: Annotated[
        str,
        typer.Option(
            metavar="MODEL|none",
            help="A model that knows such relations from elsewhere; the labels correct it. By default the "
            "shipped model ppi where entity types and parses fit it, related for other types.",
        ),
    ] = "auto",
    answers: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Answers to relhash review: they teach the model named by --prior on the text named by --adapt. Its codes "
            "stay. Repeatable.",
            dir_okay=False,
        ),
    ] = None,
    without_documents_of: options.Without = None,
    one_type: options.OneType = None,
    seed: options.Seed = 0,
    n_jobs: options.Jobs = None,
) -> None:
    """Learn a model from labelled text, adapted to the text that it will read.

    Codes are learned from the unlabelled side of both texts, the classifier from the labels of TRAIN. Without --adapt a part of
    the training text plays the target. TARGET may be raw text: it is parsed, and its entities are recognised. Without TRAIN the
    prior is the model, its threshold and calibration fitted to TARGET.
    """
    import time

    from relhash.files import check_place
    from relhash.processes import loading

    with loading():
        from relhash.model import Recipe, RelationExtractor

    check_place(output)
    start = time.perf_counter()
    if answers and not train:
        unused: dict[str, object] = {"--labels": labels}
        unused |= {"--views": views, "--classifier": classifier}
        taught = teach_from_files(
            answers, prior, [texts.other(path) for path in adapt or ()], unused,
            threshold=threshold, lexicon=lexicon, cache=texts.cache, seed=seed, n_jobs=n_jobs, silent=said.silent,
        )  # fmt: skip
        taught.save(output)
        _report(output, taught.card, time.perf_counter() - start, said)
        return
    model = RelationExtractor(
        preset if recipe is None else Recipe.read(recipe),
        views=None if views is None else _split_views(views),
        classifier=classifier,
        threshold=threshold,
        expect=expect,
        prior=prior,
        policy=kind.policy(),
        parses="file" if texts.amr is not None else parses,
        lexicon=lexicon,
        negated_are_negative=negated_are_negative,
        cache=texts.cache,
        random_state=seed,
        n_jobs=n_jobs,
    )
    without = without_documents_of or ()
    labelled = [texts.open(path, without=without, one_type=one_type) for path in train or ()]
    unlabelled = [texts.other(path) for path in adapt or ()]
    with loading():
        training = [given.read() for given in labelled]
        target, n_target = begun(unlabelled)
    with ExitStack() as stack:
        phases = FitPhases(stack, None if n_target is None else n_target + sum(map(len, training)), said.silent)
        model.fit(
            training or None,
            adapt_to=target if unlabelled else None,
            labels=labels,
            callback=phases,
        )
    made = model.model_
    if answers:  # a sheet and answers: the sheet first, then what was said of the text
        made = teach_from_files(
            answers, made, [texts.other(path) for path in adapt or ()], {},
            threshold=None, lexicon=lexicon, cache=texts.cache, seed=seed, n_jobs=n_jobs, silent=said.silent,
        )  # fmt: skip
    made.save(output)
    for given in (*labelled, *unlabelled):
        given.remark(quiet=said.quiet)
    _report(output, made.card, time.perf_counter() - start, said)


def _report(output: Path, card: Mapping[str, Any], seconds: float, said: options.Verbosity) -> None:
    """What was learned, and where it is."""
    from relhash.model.card import card_summary

    if said.as_json:
        print_json({"model": output, "bytes": output.stat().st_size, "seconds": round(seconds, 3), "card": card})
    elif not said.quiet:
        out = console()
        out.print(card_summary(card, str(output)), markup=False, highlight=False)
        size = output.stat().st_size / 1e6
        out.print(f"{output} ({size:.2f} MB), {seconds:.1f} s", markup=False, soft_wrap=True)


def _split_views(text: str) -> list[str]:
    """Views are separated by commas, which also stand inside the parentheses of a window."""
    import re

    return [name.strip() for name in re.split(r",(?![^(]*\))", text) if name.strip()]
