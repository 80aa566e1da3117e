"""Seeded damage: of bytes, of lines, and of what formats are made of."""

from __future__ import annotations

import copy
import io
import json
import os
import random
import signal
import warnings
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from relhash.errors import RelHashError

ROUNDS = int(os.environ.get("RELHASH_FUZZ_ROUNDS", "0"))
"""Inputs for each format, if somebody asks for more (or fewer) than usual: ``make fuzz N=1000000``."""

ODD = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", "²".encode(), "\u202e".encode(), b"\x1b[2J", b"9" * 400, b"-1",
    b"1e999", b"NaN", b"null", b"[]", b"{}", b'"', b"\t", b"\n\n", b"\r", b"|", b"<", b">", b"&#0;", b"&x;",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"(" * 50, b"T1", b"E1", b"R1", b"#", b"2147483648", b"18446744073709551616", b"..",
    b"/", b"=1+1", b"[" * 3000,
]  # fmt: skip


LONGEST = 20
"""Seconds of processor time for one input; usual is a thousandth of one."""


class TakesTooLong(BaseException):
    """No exception that a reader may take for a damaged file."""


def survived(path: Path, inputs: Iterable[bytes], read: Callable[[int], object]) -> int:
    """Each input, written to ``path``, is read or refused with an error of ours; how many were read and held something.

    Each is a new file: to write over one that exists makes ext4 wait for the disk, ten times as long as a reader takes.
    """

    def give_up(*_: object) -> NoReturn:
        raise TakesTooLong

    taken, before = 0, signal.signal(signal.SIGVTALRM, give_up)
    try:
        for number, data in enumerate(inputs):
            path.unlink(missing_ok=True)
            path.write_bytes(data)
            signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    taken += bool(read(number))
            except RelHashError:
                continue
            except (Exception, TakesTooLong) as error:
                raise AssertionError(f"input {number} of {path.name}: {data[:5000]!r}") from error
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return taken


def mutated(seeds: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """``count`` damaged versions of the seeds, the same ones for the same ``seed``."""
    chance = random.Random(seed)
    for number in range(count):
        data = bytearray(seeds[number % len(seeds)])
        for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
            _damage(data, seeds, chance)
        yield bytes(data)


VALUES: list[Any] = [
    None, "", "x", -1, 0, 1, 10**20, 10**400, 1e308, 1.5, -0.0, True, [], {}, [[]], {"a": 1}, "embedded", "os", "²", "a\ud800",
]  # fmt: skip
"""What stands in JSON in the place of something else."""


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in nested JSON."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


def changed(whole: Any, chance: random.Random, left: Collection[Any] = ()) -> Any:
    """JSON with one value another one, or gone; not what stands below the keys ``left``."""
    whole = copy.deepcopy(whole)
    place = chance.choice([place for place in places(whole) if place[0] not in left])
    inner = whole
    for key in place[:-1]:
        inner = inner[key]
    if chance.random() < 0.2:
        del inner[place[-1]]
    else:
        inner[place[-1]] = chance.choice(VALUES)
    return whole


def damaged_json(seeds: Sequence[Any], count: int, seed: int) -> Iterator[bytes]:
    """``count`` files of JSON: some are no JSON any more, some have other values than their readers expect."""
    chance = random.Random(seed)
    written = [json.dumps(one).encode() for one in seeds]
    for number, data in enumerate(mutated(written, count, seed)):
        if number % 2:
            whole = seeds[number % len(seeds)]
            for _ in range(chance.choice((1, 1, 2, 4))):
                whole = changed(whole, chance) if whole else whole
            data = json.dumps(whole).encode()
        yield data


def unpacked(path: Path) -> dict[str, bytes]:
    """The parts of a zip archive."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Mapping[str, bytes]) -> bytes:
    """A zip archive of parts."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return whole.getvalue()


def repacked(parts: Mapping[str, bytes], damaging: Sequence[str], count: int, seed: int) -> Iterator[bytes]:
    """``count`` archives that are whole, unlike one of the parts ``damaging`` in each."""
    chance = random.Random(seed)
    for number in range(count):
        name = chance.choice(damaging)
        (damaged,) = mutated([parts[name]], 1, seed=number)
        yield packed({**parts, name: damaged})


def _damage(data: bytearray, seeds: list[bytes], chance: random.Random) -> None:
    place = chance.randrange(len(data) + 1)
    end = min(len(data), place + chance.choice((1, 1, 2, 8, 64)))
    kind = chance.randrange(8)
    if kind == 0 and data:
        data[min(place, len(data) - 1)] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del data[place:end]
    elif kind == 2:
        data[place:place] = data[place:end]
    elif kind == 3:
        data[place:end] = chance.choice(ODD)
    elif kind == 4:
        data[place:place] = chance.choice(ODD)
    elif kind == 5:
        del data[place:]
    elif kind == 6:  # lines change places
        lines = bytes(data).split(b"\n")
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
        data[:] = b"\n".join(lines)
    else:
        other_seed = chance.choice(seeds)
        start = chance.randrange(len(other_seed) + 1)
        data[place:place] = other_seed[start : start + chance.choice((4, 32, 128))]
