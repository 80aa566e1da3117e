"""Workers on this machine."""

from __future__ import annotations

import signal


def test_ctrl_c_is_the_drivers(client):
    """A terminal sends it to all processes; workers that it ended wrote tracebacks over the driver's message."""
    assert set(client.run(signal.getsignal, signal.SIGINT).values()) == {signal.SIG_IGN}
