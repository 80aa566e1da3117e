"""``relhash fit --answers``: a model taught by the answers that people gave to ``relhash review``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.cli.console import note, progress
from relhash.cli.corpus_input import CorpusInput

if TYPE_CHECKING:
    from relhash.models import FittedModel

ENOUGH_DRAWN = 10
"""Accepted rows that were drawn at random and answered, from which it is said how many are right."""


def teach_from_files(
    answers: Sequence[Path],
    prior: str,
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
    """The model after the answers; ``unused`` are options that make no sense here, refused if they were given."""
    from relhash.errors import ParameterError
    from relhash.models import FittedModel
    from relhash.models.answers.files import answers_on
    from relhash.models.answers.teaching import Teaching
    from relhash.models.prior import AUTO_PRIOR, NO_PRIOR, SHIPPED_PRIOR

    for name, value in unused.items():
        if value:
            raise ParameterError(f"{name}: answers teach a model that exists (--prior), whose features stay; leave it out")
    if not texts:
        raise ParameterError("--answers: name the text that the answers are about (--adapt TEXT)")
    if prior == NO_PRIOR:
        raise ParameterError("--answers: name the model that asked the questions (--prior MODEL)")
    fitted = FittedModel.load(SHIPPED_PRIOR if prior == AUTO_PRIOR else prior, lexicon=lexicon, cache=cache, n_jobs=n_jobs)
    with progress("documents", quiet=silent) as step:
        documents = [document for text in texts for document in text.stream(step)]
        teaching = Teaching.of(fitted, documents, random_state=seed)
    given = answers_on(teaching, answers)
    taught = teaching.taught({one.key: one.answer for one in given})
    if taught.model is fitted:
        note("too few answers to learn from (at least two yes and two no); the model stays as it was", quiet=silent)
    for text in texts:
        text.remark(quiet=silent)
    found = teaching.precision(taught, given)
    if found is None or found.drawn < ENOUGH_DRAWN:
        n_drawn = 0 if found is None else found.drawn
        note(f"too few answers to say how many accepted rows are right ({n_drawn} of {ENOUGH_DRAWN} draws)", quiet=silent)
    else:
        note(
            f"{found.value:.0%} of the accepted rows of this text are right by the answers ({found.low:.0%}–{found.high:.0%}, "
            f"from {found.drawn} questions that were drawn at random)",
            quiet=silent,
        )
    return taught.model if threshold is None else taught.model.accepting_from(_probability(threshold))


def _probability(threshold: str) -> float:
    from relhash.errors import ParameterError
    from relhash.learning.threshold import parse_strategy

    name, value = parse_strategy(threshold)
    if name != "fixed":
        raise ParameterError(f"--threshold {threshold}: with answers only a probability can be given, such as 0.5")
    return value
