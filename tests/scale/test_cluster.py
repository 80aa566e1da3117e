"""A cluster that is there, and one that cannot be."""

from __future__ import annotations

import signal
import sys

import pytest

from tests.cli.running import run


def test_ctrl_c_is_the_drivers(client):
    """A terminal sends it to all processes; workers that it ended wrote tracebacks over the driver's message."""
    assert set(client.run(signal.getsignal, signal.SIGINT).values()) == {signal.SIG_IGN}


def test_workers_here_do_not_wait_for_memory(client):
    """Nothing would free any: they would wait for ever."""
    names = [f"memory_{what}_fraction" for what in ("target", "spill", "pause")]
    found = client.run(lambda dask_worker: [getattr(dask_worker.memory_manager, name) for name in names])
    assert {one for own in found.values() for one in own} == {False}


def listening() -> set[str]:
    """Addresses on which this process listens."""
    psutil = pytest.importorskip("psutil")  # comes with distributed
    return {one.laddr.ip for one in psutil.Process().net_connections("tcp") if one.status == "LISTEN"}


def test_only_this_machine_reaches_a_cluster_on_this_machine(client):
    """The dashboard listened on all addresses, without a token."""
    assert listening() == {"127.0.0.1"}
    assert set().union(*client.run(listening).values()) == {"127.0.0.1"}


@pytest.mark.parametrize("command", [("predict", "MODEL"), ("hash", "MODEL")], ids=" ".join)
def test_without_the_extra_it_is_one_line(command, model, texts, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    given = [model if one == "MODEL" else one for one in command]
    code, _, said = run(capsys, *given, texts / "a.jsonl", "-o", tmp_path / "out", "--engine", "dask")
    assert (code, len(said.splitlines())) == (2, 1), said
    assert "--engine dask needs dask.distributed; pip install 'relhash[scale]'" in said
    assert not list(tmp_path.iterdir())
