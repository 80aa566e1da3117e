"""Parts by name, also of another installed package."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from relhash import registry
from relhash.errors import ParameterError
from relhash.registry import Registry, offer


@pytest.fixture
def colours(monkeypatch):
    """A registry with a colour of its own and two of another package, one of which is broken."""
    offered = [
        EntryPoint("pi", "math:pi", "relhash.colours"),
        EntryPoint("broken", "no_such_package.paint:COLOUR", "relhash.colours"),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: [one for one in offered if one.group == group])
    return Registry("colour", "relhash.colours", {"red": 1})


def test_a_part_of_another_package_is_found_by_its_name(colours):
    assert list(colours) == ["red", "pi", "broken"]
    assert colours["pi"] == pytest.approx(3.14159, abs=1e-5)


def test_a_part_that_cannot_be_imported_is_named_with_its_home(colours):
    with pytest.raises(ParameterError, match=r"colour 'broken' of no_such_package\.paint:COLOUR"):
        colours["broken"]


def test_a_name_is_given_once(colours):
    colours.register("red", 1)
    with pytest.raises(ParameterError, match="there already"):
        colours.register("red", 2)


def test_a_known_name_does_not_look_at_other_packages(monkeypatch):
    monkeypatch.setattr(registry, "entry_points", lambda group: pytest.fail("looked"))
    assert Registry("colour", "relhash.colours", {"red": 1})["red"] == 1


def test_a_part_that_a_later_room_offers(monkeypatch):
    monkeypatch.setattr(registry, "_ours", {})
    offer("relhash.colours", "e", "math:e")
    colours = Registry("colour", "relhash.colours", {"red": 1})
    assert list(colours) == ["red", "e"]
    assert colours["e"] == pytest.approx(2.71828, abs=1e-5)
