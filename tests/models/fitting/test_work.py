"""A fit that is broken off at any stage and begun again ends with the same bytes, and does finished stages no second time."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from relhash.errors import ParameterError
from relhash.kernels import WordVectors
from relhash.learning import ForestClassifier, LinearClassifier
from relhash.learning.decision import Decision
from relhash.models import RelationExtractor
from relhash.models.fitting.work import FitWork
from tests.models.conftest import part

SMALL = {"classifier": ForestClassifier(5), "prior": "none", "cache": False}


class BrokenOffError(Exception):
    pass


def after(n):
    """A callback that breaks the fit off after so many trials."""
    seen = []

    def callback(step):
        seen.append(step)
        if len(seen) == n:
            raise BrokenOffError

    return callback


def fitted(path: Path, *, work=None, callback=None, n=12, **settings):
    settings = {"preset": "KLSH-NU-RF", "learner": {"n_bits": 8}, **SMALL, **settings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = {"corpus": part("abstracts", n), "adapt_to": part("fulltext", 5)}
        extractor = RelationExtractor(**settings).fit(**text, callback=callback, work=work)
    extractor.save(path)
    return path.read_bytes()


FAMILIES = [
    {},
    {"learner": {"n_bits": 8, "hash_function": "margin"}},
    pytest.param({"learner": {"n_bits": 8, "hash_function": "balanced-margin"}}, marks=pytest.mark.slow),
    pytest.param({"learner": {"n_bits": 8, "hash_function": "standard-nearest"}}, marks=pytest.mark.slow),
    pytest.param({"learner": {"n_bits": 8, "redundancy": "correlation"}}, marks=pytest.mark.slow),
    {"preset": "best", "learner": {"n_bits": 8}, "classifier": LinearClassifier(0.1)},
    pytest.param({"preset": "KLSH-RF", "learner": {"n_bits": 8}}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("settings", FAMILIES, ids=str)
def test_the_same_bytes_after_breaking_off_among_the_hash_functions(tmp_path, settings):
    whole = fitted(tmp_path / "whole", **settings)
    work = FitWork(tmp_path / "work")
    for trials in (3, 4):
        with pytest.raises(BrokenOffError):
            fitted(tmp_path / "broken", work=work, callback=after(trials), **settings)
        work.close()
    steps = []
    again = FitWork(tmp_path / "work")
    assert fitted(tmp_path / "again", work=again, callback=steps.append, **settings) == whole
    if settings.get("preset") != "KLSH-RF" and "redundancy" not in settings.get("learner", {}):
        assert steps[0].trial == 7
        assert any("7 trials" in name for name in again.recalled)
    again.remove()
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize("settings", [FAMILIES[0], FAMILIES[5]], ids=str)
def test_finished_stages_are_not_done_again(tmp_path, monkeypatch, settings):
    whole = fitted(tmp_path / "whole", **settings)
    work = FitWork(tmp_path / "work")
    monkeypatch.setattr(RelationExtractor, "save", lambda *_: (_ for _ in ()).throw(BrokenOffError))
    with pytest.raises(BrokenOffError):
        fitted(tmp_path / "broken", work=work, **settings)
    work.close()
    monkeypatch.undo()

    def never(*_, **__):
        raise AssertionError("done twice")

    monkeypatch.setattr(Decision, "fit", never)
    again = FitWork(tmp_path / "work")
    assert fitted(tmp_path / "again", work=again, **settings) == whole
    assert "decision" in again.recalled
    assert any(name.startswith("features-") for name in again.recalled)


def test_other_text_or_settings_begin_anew(tmp_path):
    work = FitWork(tmp_path / "work")
    with pytest.raises(BrokenOffError):
        fitted(tmp_path / "broken", work=work, callback=after(5))
    work.close()
    for changed in ({"n": 11}, {"random_state": 1}, {"learner": {"n_bits": 9}}, {"threshold": "share:0.2"}):
        other = FitWork(tmp_path / "work")
        whole = fitted(tmp_path / "whole", **changed)
        assert fitted(tmp_path / "again", work=other, **changed) == whole
        assert other.recalled == []
        other.close()


def test_damage_means_that_a_stage_is_made_again(tmp_path):
    whole = fitted(tmp_path / "whole")
    work = FitWork(tmp_path / "work")
    fitted(tmp_path / "first", work=work)
    work.close()
    for journal in (tmp_path / "work").glob("*.journal"):
        content = bytearray(journal.read_bytes())
        content[len(content) // 2] ^= 1
        journal.write_bytes(content)
    assert fitted(tmp_path / "again", work=FitWork(tmp_path / "work")) == whole


def test_parses_are_kept_without_a_cache(tmp_path, monkeypatch):
    settings = {"preset": "best", "learner": {"n_bits": 4}, "parses": "embedded", "n": 8}
    whole = fitted(tmp_path / "whole", **settings)
    work = FitWork(tmp_path / "work")
    with pytest.raises(BrokenOffError):
        fitted(tmp_path / "broken", work=work, callback=after(1), **settings)
    monkeypatch.setattr("relhash.language.pipeline.Pipeline._parse", lambda self, documents: [1 / 0 for _ in documents])
    assert fitted(tmp_path / "again", work=FitWork(tmp_path / "work"), **settings) == whole


def test_a_folder_that_is_not_ours_stays(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.tex").touch()
    FitWork(tmp_path / "work").remove()
    assert (tmp_path / "work" / "thesis.tex").exists()


def test_own_vectors_cannot_be_kept(tmp_path):
    with pytest.raises(ParameterError, match="leave out work"):
        fitted(tmp_path / "m", work=FitWork(tmp_path / "work"), vectors=WordVectors(["binds"], [[1.0]]))
