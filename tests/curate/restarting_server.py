"""A process that loads a model and a text once, and starts a server on them as often as it is told: to be killed in between.

``python -m tests.curate.restarting_server MODEL CORPUS DATABASE``: a line on standard input starts a server; a line with its
process and port comes back. The servers are forks, so that starting one again takes no time.
"""

from __future__ import annotations

import os
import sys

from relhash.curate.application import ServerSettings, create_application
from relhash.curate.curation import Curation
from relhash.curate.serving import listen, run
from relhash.curate.store import AnswerStore, identity_of_text
from relhash.model import FittedModel
from relhash.model.answers.teaching import Teaching


def serve(teaching: Teaching, database: str, listening: object) -> None:
    store = AnswerStore(f"sqlite:///{database}", identity_of_text(teaching.model, teaching.candidates))
    run(create_application(teaching.model, Curation(teaching, store), ServerSettings(curator="ann")), listening)  # type: ignore[arg-type]


def main(model: str, corpus: str, database: str) -> None:
    teaching = Teaching.of(FittedModel.load(model, cache=False), corpus)
    print("ready", flush=True)
    for _ in sys.stdin:
        listening = listen("127.0.0.1", 0)
        child = os.fork()
        if not child:
            serve(teaching, database, listening)
            os._exit(0)
        port = listening.getsockname()[1]
        listening.close()
        print(child, port, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
