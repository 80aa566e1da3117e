"""``relhash serve MODEL``: predictions over HTTP, text in and relations with evidence out."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import note
from relhash.cli.options import option


def serve(
    using: options.Accepting,
    at: options.Server,
    model: options.Model,
    processes: Annotated[
        int | None, options.serving("N", "Texts that are worked on at a time; by default one per core.", min=1)
    ] = None,
    seconds: Annotated[float, options.serving("S", "How long a request may wait and be worked on.", min=1)] = 60.0,
    max_reply: Annotated[float, options.serving("MB", "Longest reply, in megabytes.", min=0.001)] = 8.0,
    max_text: Annotated[float, option("MB", "Largest request, in megabytes.", min=0.001, max=1000)] = 1.0,
    rate: Annotated[float, option("N", "Requests per second of one address; twice as many at once.", min=0.1)] = 200.0,
    trusted_host: Annotated[
        list[str] | None,
        options.serving("NAME", "Name under which a proxy on this machine is asked for this server; repeat it."),
    ] = None,
    root_path: Annotated[str, options.serving("PATH", "Path under which the proxy shows it: /relhash.")] = "",
    quiet: options.Quiet = False,
) -> None:
    """Serve predictions: POST /api/predict, GET /api (what there is), /health, /metrics.

    Each text is worked on in a process of its own, which is ended when it takes too long or when the client has left. Text that
    is sent is kept nowhere. Only this machine reaches the server, unless --host says so; then a token is needed. Behind a proxy
    give --trusted-host.
    """
    options.need_web("relhash serve")
    from relhash.curate.application import ServerSettings, create_application
    from relhash.curate.guard import Limits, token_for
    from relhash.curate.predicting import predicted
    from relhash.curate.serving import address_of, listen, run
    from relhash.curate.work import InProcesses

    secret = token_for(at.host, wanted=at.token)
    listening = listen(at.host, at.port)
    load = partial(using.load, model, cache=False)
    fitted = load()
    work = InProcesses(load, processes, seconds, int(max_reply * (1 << 20)))
    work.warm_up(predicted, ["RAF1 binds to MEK1, but not to ERK2, in resting cells. " * 40])  # enough to want compiled code
    limits = Limits(body=int(max_text * (1 << 20)), rate=rate, burst=max(1, int(2 * rate)))
    names, root = tuple(trusted_host or ()), f"/{root_path.strip('/')}".rstrip("/")
    settings = ServerSettings(token=secret, limits=limits, names=names, root=root)
    app = create_application(fitted, settings=settings, work=work)
    print(address_of(listening, at.host, secret), flush=True)
    note("POST text to /api/predict; /api tells how; Ctrl-C stops the server", quiet=quiet)
    run(app, listening, behind_proxy=bool(names))
