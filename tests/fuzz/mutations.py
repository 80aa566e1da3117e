"""Seeded damage: of bytes, of lines, and of what formats are made of."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

ROUNDS = int(os.environ.get("RELHASH_FUZZ_ROUNDS", "0"))
"""Inputs for each format, if somebody asks for more (or fewer) than usual: ``make fuzz N=1000000``."""

ODD = [
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", "²".encode(), "\u202e".encode(), b"\x1b[2J", b"9" * 400, b"-1",
    b"1e999", b"NaN", b"null", b"[]", b"{}", b'"', b"\t", b"\n\n", b"\r", b"|", b"<", b">", b"&#0;", b"&x;",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"(" * 50, b"T1", b"E1", b"R1", b"#", b"2147483648", b"18446744073709551616", b"..",
    b"/", b"=1+1",
]  # fmt: skip


def mutated(seeds: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """``count`` damaged versions of the seeds, the same ones for the same ``seed``."""
    chance = random.Random(seed)
    for number in range(count):
        data = bytearray(seeds[number % len(seeds)])
        for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
            _damage(data, seeds, chance)
        yield bytes(data)


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
