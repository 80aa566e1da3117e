"""The catalogue of systems: every one can say what it is, and a name is resolved for the candidates of a protocol."""

from __future__ import annotations

import pytest

from relhash.bench.systems.listed import SYSTEMS, system
from relhash.errors import ParameterError


def test_no_two_systems_are_the_same():
    assert len({one.identity for one in SYSTEMS.values()}) == len(SYSTEMS)
    assert all(name == one.name and one.summary for name, one in SYSTEMS.items())


def test_figures_of_the_paper_stand_beside_a_system_in_both_tables():
    assert system("KLSH-NU-RF").paper_f1 == {"A→B": 0.57, "B→A": 0.57, "train→devel13": 0.67, "subsets": 0.61}
    assert system("KLSH-NU-RF", has_roles=True).paper_f1["train→devel13"] == 0.67
    assert not system("random").paper_f1


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(ParameterError, match=r"no events/best; there are .*best"):
        system("events/best")
