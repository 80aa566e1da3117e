"""The files of the page: nothing in them can turn text into a program, and what they show can be read."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

WEB = files("relhash.curate")
SCRIPTS = sorted(entry.name for entry in WEB.joinpath("static").iterdir() if entry.name.endswith(".js"))
TEMPLATES = sorted(entry.name for entry in WEB.joinpath("templates").iterdir())
PAIRS = [
    ("ink", "page"),
    ("ink", "card"),
    ("ink", "hover"),
    ("ink", "warn"),
    ("soft", "page"),
    ("soft", "card"),
    ("soft", "hover"),
    ("accent", "page"),
    ("accent", "card"),
    ("on-accent", "accent"),
    ("yes", "card"),
    ("no", "card"),
    ("maybe", "card"),
    ("e1-ink", "e1"),
    ("e2-ink", "e2"),
    ("e3-ink", "e3"),
    ("path-ink", "path"),
]
"""Colours of text and what they stand on."""


def text_of(folder: str, name: str) -> str:
    return WEB.joinpath(folder).joinpath(name).read_text("utf-8")


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_never_make_markup_or_programs_of_text(name):
    text = re.sub(r"^\s*//.*$", "", text_of("static", name), flags=re.MULTILINE)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|DOMParser", text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert 'setAttribute("style"' not in text  # the policy of the page would refuse it


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_hold_no_program_no_style_and_nothing_from_elsewhere(name):
    text = text_of("templates", name)
    assert not re.search(r"<style|\sstyle=|\son\w+=|https?://|\|\s*safe\b|autoescape", text)
    for script in re.findall(r"<script\b[^>]*>", text):
        assert re.search(r'src="(?:\{\{ state\.root \}\})?/static/', script) or 'type="application/json"' in script


def test_templates_name_files_that_are_there():
    named = set(re.findall(r'/static/([\w.]+)"', "".join(text_of("templates", name) for name in TEMPLATES)))
    imported = set(re.findall(r'from "\./([\w.]+)"', "".join(text_of("static", name) for name in SCRIPTS)))
    there = {entry.name for entry in WEB.joinpath("static").iterdir()}
    assert named
    assert named | imported <= there
    assert {name for name in there if name.endswith((".js", ".css"))} <= named | imported  # and none that nobody uses


def colours(scheme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", text_of("static", "base.css"), re.DOTALL)
    found = {}
    for block in (light, dark) if scheme == "dark" else (light,):
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block))
    return found


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * one for one in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_the_contrast_that_wcag_asks_for(scheme):
    known = colours(scheme)
    low = {}
    for text, ground in PAIRS:
        dark, bright = sorted((luminance(known[text]), luminance(known[ground])))
        ratio = (bright + 0.05) / (dark + 0.05)
        if ratio < 4.5:
            low[text, ground] = round(ratio, 2)
    assert low == {}
