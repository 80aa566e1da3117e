"""``relhash curate MODEL INPUT``: a local page on which people answer, and the model learns after each answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import note, progress
from relhash.cli.options import option
from relhash.files import STANDARD_STREAM


def curate(
    using: options.Accepting,
    texts: options.Texts,
    at: options.Server,
    model: options.Model,
    input: options.Input,
    db: Annotated[
        str | None,
        option("URL", "Where answers are kept: a file (INPUT.answers.sqlite) or postgresql+psycopg://USER@HOST/DATABASE."),
    ] = None,
    gold: Annotated[
        Path | None,
        option("FILE", "Annotated text that is never asked about: the page shows F1 on it."),
    ] = None,
    curator: Annotated[str | None, option("NAME", "Who answers, if the page does not say; by default your login name.")] = None,
    lease: Annotated[float, option("SECONDS", "How long a question is kept for one person.", min=5)] = 300.0,
    seed: options.Seed = 0,
    quiet: options.Quiet = False,
) -> None:
    """Teach a model by answering yes or no on a page in the browser.

    Every answer is kept in a database before the next question is shown, and can be exported at any time. Several people may
    answer at once. Only this machine reaches the page, unless --host says otherwise; then a token is needed.
    """
    options.need_web("relhash curate")
    from relhash.curate.application import ServerSettings, create_application
    from relhash.curate.curation import Curation, HeldOut
    from relhash.curate.guard import curator_name, token_for
    from relhash.curate.serving import address_of, listen, run
    from relhash.curate.store import AnswerStore, check_database, database_url, identity_of_text
    from relhash.model.answers.teaching import Teaching, check_candidates, corrected_candidates
    from relhash.model.judging import candidates_of

    name = curator_name(curator)
    secret = token_for(at.host, wanted=at.token)
    text = "text" if input == STANDARD_STREAM else input.name
    url = database_url(db or f"{text}.answers.sqlite")
    check_database(url)
    listening = listen(at.host, at.port)
    fitted = using.load(model, cache=texts.cache)
    given = texts.open(input)
    with progress("documents", quiet=quiet) as step:
        documents = list(fitted.read(given.stream(step)))
        found = list(candidates_of(fitted, documents))
        check_candidates(found)
        store = AnswerStore(url, identity_of_text(fitted, found))
        found = corrected_candidates(fitted, documents, found, ((one.key, one.names) for one in store.standing()))
        teaching = Teaching(fitted, found, random_state=seed)
        held_out = None if gold is None else HeldOut(fitted, texts.other(gold).stream(step))
    given.remark(quiet=quiet)
    curation = Curation(teaching, store, documents=documents, held_out=held_out)
    if held_out is not None and (shared := held_out.shared_with(teaching.candidates)):
        note(f"{gold}: {shared:,} of its candidates stand in sentences of {input}; F1 on these says too much", quiet=quiet)
    settings = ServerSettings(token=secret, curator=name, input=text, lease_seconds=lease)
    app = create_application(fitted, curation, settings)
    answers = len(curation.standing())
    note(
        f"{len(teaching.candidates):,} candidates in {len(documents):,} documents, {answers:,} answers in "
        f"{store.url.render_as_string(hide_password=True)}",
        quiet=quiet,
    )
    print(address_of(listening, at.host, secret), flush=True)
    note("open it in a browser; Ctrl-C stops the server, answers are kept", quiet=quiet)
    run(app, listening)
