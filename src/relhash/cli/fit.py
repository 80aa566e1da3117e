"""``relhash fit TRAIN… --adapt TARGET -o MODEL``: learn a model, from labels or from answers to ``relhash review``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from relhash.cli import options
from relhash.cli.console import FitPhases, console, note, print_json
from relhash.cli.options import CorpusInput, argument, begun, option

if TYPE_CHECKING:
    from relhash.candidates import CandidatePolicy
    from relhash.model import FittedModel


ENOUGH_DRAWN = 10
"""Accepted rows that were drawn at random and answered, from which it is said how many are right."""


def _taught(
    fitted: FittedModel, answers: Sequence[Path], texts: Sequence[CorpusInput], seed: int, said: options.Verbosity
) -> FittedModel:
    """The model after the answers that people gave on these texts."""
    from relhash.model.answers.teaching import Teaching

    with said.progress("documents") as step:
        documents = (document for text in texts for document in text.stream(step))
        teaching, given = Teaching.answered(fitted, documents, answers, random_state=seed)
    taught = teaching.taught_by(given)
    if taught.model is fitted:
        note("no answer says yes or no; the model stays as it was", quiet=said.silent)
    for text in texts:
        text.remark(quiet=said.silent)
    found = teaching.warranty(taught, given)
    n_drawn = 0 if found is None else found.drawn
    if found is None or n_drawn < ENOUGH_DRAWN:
        line = f"too few answers to say how many accepted rows are right ({n_drawn} of {ENOUGH_DRAWN} draws)"
    else:
        line = (
            f"by {n_drawn} questions on accepted rows that were drawn at random: {found.precision} of the accepted rows of "
            f"this text are right, and {found.recall} of its relations are among them"
        )
    note(line, quiet=said.silent)
    return taught.model


def _model_that_asked(
    prior: str, has_text: bool, unused: Mapping[str, object], threshold: str | None, **how: Any
) -> FittedModel:
    """The model that answers teach; options that make no sense with it are refused if they were given."""
    from relhash.errors import ParameterError
    from relhash.learn.threshold import parse_strategy
    from relhash.model import FittedModel
    from relhash.model.prior import AUTO_PRIOR, NO_PRIOR, SHIPPED_PRIOR

    for name, value in unused.items():
        if value:
            raise ParameterError(f"{name}: answers teach a model that exists (--prior), whose features stay; leave it out")
    if not has_text:
        raise ParameterError("--answers: name the text that the answers are about (--adapt TEXT)")
    if prior == NO_PRIOR:
        raise ParameterError("--answers: name the model that asked the questions (--prior MODEL)")
    if threshold is not None and parse_strategy(threshold)[0] != "fixed":
        raise ParameterError(f"--threshold {threshold}: with answers only a probability can be given, such as 0.5")
    return FittedModel.load(SHIPPED_PRIOR if prior == AUTO_PRIOR else prior, **how)


learning = partial(option, panel="What is learned")


@dataclass(frozen=True)
class Kind:
    """What a candidate is."""

    types: options.Types = None
    directed: Annotated[bool, learning("--directed", "Tell the two directions of a pair apart.")] = False
    interactions: Annotated[
        bool,
        learning("--interactions", "Learn interactions, not pairs: a trigger word, its type, participants in roles."),
    ] = False
    one_participant: Annotated[
        bool,
        learning("--one-participant", "With --interactions: also those of one participant, such as an expression."),
    ] = False
    open_types: Annotated[
        bool,
        learning("--open-types", "Learn interactions of any type from statements of verb, cause and theme, such as NERO's."),
    ] = False
    max_pairs: options.MaxPairs = None

    def policy(self) -> CandidatePolicy:
        """Pairs of mentions, or interactions whose trigger words are learned from the training text.

        Of types interactions only take which entities may take part, in whatever role.
        """
        from relhash.candidates import PairPolicy, parse_types
        from relhash.errors import ParameterError

        types = None if self.types is None else parse_types(self.types)
        if self.one_participant and not self.interactions:
            raise ParameterError("--one-participant is for --interactions: a pair has two")
        if self.open_types:
            from relhash.candidates.statements.open_policy import OpenPolicy

            if self.directed or types is not None:
                raise ParameterError("--open-types takes neither --directed nor --types: roles tell the directions")
            policy: CandidatePolicy = OpenPolicy()
        elif not self.interactions:
            policy = PairPolicy(types=types, directed=self.directed)
        elif self.directed:
            raise ParameterError("--directed is for pairs; interactions have roles, which tell the directions apart")
        else:
            from relhash.candidates.statements import InteractionPolicy

            members = None if types is None else sorted({name for pair in types for name in pair})
            policy = InteractionPolicy(entity_types=members, one_participant=self.one_participant)
        return policy if self.max_pairs is None else policy.with_max_pairs(self.max_pairs)


def fit(
    kind: Kind,
    texts: options.Texts,
    said: options.Verbosity,
    output: Annotated[Path, option("--output", "-o", "MODEL", "The model file to write.")],
    train: Annotated[
        list[Path] | None,
        argument("TRAIN", "Labelled corpora, in any format. None: the prior alone, fitted to TARGET.", show_default=False),
    ] = None,
    adapt: Annotated[
        list[Path] | None,
        option("TARGET", "Text like that to be read; its labels are never looked at. Repeatable."),
    ] = None,
    preset: Annotated[str, option("NAME", "A system by name: best, KLSH-NU-RF, KLSH-RF, KLSH-kNN, random, …")] = "best",
    recipe: Annotated[
        Path | None,
        option("FILE", "How the model is made, in place of --preset (relhash info --recipe best prints one).", dir_okay=False),
    ] = None,
    labels: Annotated[int | None, option("N", "Use only N labelled candidates, drawn at random.", min=4)] = None,
    threshold: Annotated[
        str | None,
        option(
            "RULE",
            "Where a relation begins. fraction: as many as the labels say (default where they are all pairs of their "
            "text); share:0.2: one in five pairs; precision:0.8: as many as are that precise; fixed:0.5: from this "
            "probability on.",
        ),
    ] = None,
    expect: options.Expect = None,
    views: Annotated[str | None, learning("VIEW,…", "What the hash functions compare, such as path+edges,between.")] = None,
    classifier: Annotated[str | None, learning("NAME", "forest, linear or neighbours, in place of the preset's own.")] = None,
    parses: Annotated[
        str,
        options.reading(
            "file|embedded",
            "file: the parses that the corpora carry. embedded: all text is parsed by the pipeline that ships, also "
            "what the model reads later. By default embedded if any text has no parses. Or an installed spaCy model.",
            show_default=False,
        ),
    ] = "auto",
    lexicon: options.Lexicon = None,
    negated_are_negative: Annotated[
        bool, learning("--negated-are-negative", "Training pairs that their sentence denies are negative, such as BioInfer's.")
    ] = False,
    prior: Annotated[
        str, option("MODEL|none", "A model that the labels correct; by default ppi or related, by types.", show_default=False)
    ] = "auto",
    answers: Annotated[
        list[Path] | None,
        option("FILE", "Answers to relhash review: they teach the model of --prior on the text of --adapt. Repeatable."),
    ] = None,
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
        from relhash.learn.threshold import parse_strategy
        from relhash.model import Recipe, RelationExtractor

    check_place(output)
    start = time.perf_counter()
    unlabelled = [texts.other(path) for path in adapt or ()]
    if answers and not train:
        unused = {"--labels": labels, "--views": views, "--classifier": classifier}
        how = {"lexicon": lexicon, "cache": texts.cache, "n_jobs": n_jobs}
        made = _model_that_asked(prior, bool(adapt), unused, threshold, **how)
    else:
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
        labelled = [texts.open(path, one_type=one_type) for path in train or ()]
        with loading():
            training = [given.read() for given in labelled]
            target, n_target = begun(unlabelled)
        with ExitStack() as stack:
            phases = FitPhases(stack, None if n_target is None else n_target + sum(map(len, training)), said.silent)
            model.fit(training or None, adapt_to=target if unlabelled else None, labels=labels, callback=phases)
        made = model.model_
        for given in (*labelled, *unlabelled):
            given.remark(quiet=said.quiet)
    if answers:  # of a sheet and answers, the sheet comes first
        made = _taught(made, answers, [texts.other(path) for path in adapt or ()], seed, said)
        if threshold is not None and not train:
            made = made.accepting_from(parse_strategy(threshold)[1])
    made.save(output)
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
