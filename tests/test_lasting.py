"""What is loaded is left alone by the collector; what comes later is not."""

from __future__ import annotations

import gc
import subprocess
import sys

PROGRAM = """
import gc, weakref
from relhash.processes import settled_after

class Node: pass

def ring():
    node = Node()
    node.itself = node
    return weakref.ref(node)

seen = []
for number in settled_after(range(6), 3):
    if number == 0:
        before = ring()
    seen.append(gc.get_freeze_count())
later = ring()
gc.collect()
print(seen[2], min(seen[3:]) > 1000, before() is None, later() is None)
"""


def test_a_stream_settles_once_and_later_cycles_are_still_collected():
    """In a process of its own: what is frozen stays so."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "True", "True", "True"]


def test_a_short_stream_leaves_the_collector_alone():
    from relhash.processes import settled_after

    before = gc.get_freeze_count()
    assert list(settled_after("abc")) == ["a", "b", "c"]
    assert gc.get_freeze_count() == before


LOADED = """
import gc, weakref
from relhash.processes import loading

class Node: pass

def ring():
    node = Node()
    node.itself = node
    return weakref.ref(node)

with loading():
    loaded, inside = ring(), gc.isenabled()
later = ring()
gc.collect()
print(inside, gc.isenabled(), loaded() is None, later() is None)
"""


def test_what_is_loaded_is_never_looked_at_and_what_comes_after_it_is():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False", "True"]
