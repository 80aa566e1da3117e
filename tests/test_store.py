"""What is on disk after a kill: whole values or none."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash import store as module
from relhash.errors import RelHashWarning
from relhash.store import Store, installed_program

KEY = "ab12"


@given(value=st.binary(max_size=60), cut=st.integers(1, 100), byte=st.integers(0, 100))
def test_a_value_that_is_cut_off_or_damaged_is_as_if_it_were_not_there(tmp_path_factory, value, cut, byte):
    store = Store(tmp_path_factory.mktemp("store"), "values")
    store.put(KEY, value)
    (path,) = store.files()
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[byte % len(whole)] ^= 0xFF
    for damaged in (whole[:-cut], bytes(changed), whole + b"more"):
        path.write_bytes(damaged)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RelHashWarning)
            assert store.get(KEY) is None
        assert not list(store.files())
        store.put(KEY, value)
        assert store.get(KEY) == value


def test_damage_is_said_once(tmp_path):
    store = Store(tmp_path, "values")
    for key in ("ab1", "ab2"):
        store.put(key, b"x")
    for path in store.files():
        path.write_bytes(b"damaged")
    with pytest.warns(RelHashWarning, match="values that were kept here are damaged") as said:
        assert [store.get(key) for key in ("ab1", "ab2")] == [None, None]
    assert len(said) == 1


def test_a_killed_process_leaves_whole_values(tmp_path):
    program = (
        "import os, signal, sys\nfrom relhash import store as module\nstore = module.Store(sys.argv[1], 'values')\n"
        "store.put('ab1', b'one')\n"
        "class Dies(bytes):\n    def __add__(self, other): os.kill(os.getpid(), signal.SIGKILL)\n"
        "class Digest:\n    def digest(self): return Dies()\n"
        "module.hashlib.sha256 = lambda content: Digest()\nstore.put('ab2', b'two')\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode < 0
    store = Store(tmp_path, "values")
    assert (store.get("ab1"), store.get("ab2")) == (b"one", None)
    store.put("ab2", b"two")
    assert store.get("ab2") == b"two"


def test_a_disk_that_takes_nothing_means_that_nothing_is_kept(tmp_path, monkeypatch):
    store = Store(tmp_path, "values")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "replacing", full)
    with pytest.warns(RelHashWarning, match=r"values cannot be kept here \(No space left on device\)") as said:
        store.put(KEY, b"a")
    store.put(KEY, b"b")  # said once
    assert (len(said), store.get(KEY)) == (1, None)


def test_the_program_has_one_name():
    assert len(installed_program()) == 64
