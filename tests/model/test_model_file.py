"""Model files: the same bits after loading, and nothing believed that does not add up."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import relhash
from relhash.corpus import Corpus
from relhash.errors import ModelFileError, ParameterError
from relhash.kernels import WordVectors
from relhash.learn import ForestClassifier
from relhash.learn.end_to_end import EndToEnd
from relhash.model import FittedModel, RelationExtractor
from relhash.model.model_file import OLDEST_SCHEMA, SCHEMA_VERSION, read_manifest, save_rows
from relhash.resources import resource_path


@pytest.fixture(scope="module")
def model_file(rich_model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "rich.relhash"
    rich_model.save(path)
    return path


def rewritten(path, target, change):
    """A copy of a model file in which ``change(name, content)`` has replaced parts (None leaves a part out)."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            content = change(name, source.read(name))
            if content is not None:
                copy.writestr(name, content)
    return target


def manifest_with(**changes):
    def change(name, content):
        return json.dumps({**json.loads(content), **changes}) if name == "manifest.json" else content

    return change


@pytest.mark.parametrize("which", ["small_model", "rich_model"])
def test_loaded_model_predicts_the_same_bits(which, request, fulltext, tmp_path):
    model = request.getfixturevalue(which)
    model.save(tmp_path / "m.relhash")
    again = FittedModel.load(tmp_path / "m.relhash")
    np.testing.assert_array_equal(again.scores(fulltext), model.scores(fulltext))
    np.testing.assert_array_equal(again.predict_proba(fulltext), model.predict_proba(fulltext))
    np.testing.assert_array_equal(again.hashcodes(fulltext), model.hashcodes(fulltext))
    nameless = {"model": "", "model_version": ""}
    after, before = ([p.as_row() | nameless for p in one.predict(fulltext)] for one in (again, model))
    assert after == before
    assert again.evaluate(fulltext) == model.evaluate(fulltext)
    again.save(tmp_path / "again.relhash")
    assert (tmp_path / "again.relhash").read_bytes() == (tmp_path / "m.relhash").read_bytes()


def test_rows_name_the_model_and_its_version(small_model, fulltext, tmp_path):
    small_model.save(tmp_path / "mine.relhash")
    (tmp_path / "copy.relhash").write_bytes((tmp_path / "mine.relhash").read_bytes())
    unsaved = small_model.predict(fulltext)[0].as_row()
    mine, copy = (FittedModel.load(tmp_path / f"{name}.relhash").predict(fulltext)[0].as_row() for name in ("mine", "copy"))
    assert (unsaved["model"], mine["model"], copy["model"]) == ("KLSH-NU-RF", "mine", "copy")
    assert mine["model_version"] == copy["model_version"]  # the same model under another name
    assert mine["model_version"].startswith(f"{small_model.model_.card['made']}-")
    stricter = replace(small_model.model_, decision=small_model.model_.decision.accepting_from(0.9))
    stricter.save(tmp_path / "mine.relhash")
    assert FittedModel.load(tmp_path / "mine.relhash").identity.version != mine["model_version"]


@pytest.mark.parametrize(
    "settings",
    [
        {"preset": "KLSH-kNN", "learner": {"n_bits": 12}},
        {"preset": "KLSH-NU-RF", "learner": {"n_bits": 12, "hash_function": "margin"}, "classifier": ForestClassifier(5)},
        {"preset": "KLSH-RF", "learner": {"n_bits": 12, "n_shared": 8}, "classifier": ForestClassifier(5)},
        {"preset": "KLSH-NU-RF", "parts": ("raw-descriptors",), "classifier": ForestClassifier(5)},
    ],
    ids=["kNN", "RMM", "KLSH-RF", "no codes"],
)
def test_every_kind_of_system_survives(settings, abstracts, fulltext, tmp_path):
    model = RelationExtractor(**settings).fit(abstracts, adapt_to=fulltext)
    model.save(tmp_path / "m.relhash")
    np.testing.assert_array_equal(FittedModel.load(tmp_path / "m.relhash").scores(fulltext), model.scores(fulltext))


def test_no_pickle_inside(model_file):
    with zipfile.ZipFile(model_file) as archive:
        for name in archive.namelist():
            if name.endswith(".npz"):
                with np.load(io.BytesIO(archive.read(name)), allow_pickle=False) as arrays:
                    assert all(arrays[key].dtype != object for key in arrays.files)


def test_own_vectors_travel_with_the_model(abstracts, fulltext, tmp_path):
    rng = np.random.default_rng(0)
    words = sorted({token.text.lower() for document in abstracts for s in document.sentences for token in s.tokens})
    vectors = WordVectors([*words, "elsewhere"], rng.normal(size=(len(words) + 1, 8)))
    model = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 12}, classifier=ForestClassifier(5), vectors=vectors)
    model.fit(abstracts, adapt_to=fulltext)
    model.save(tmp_path / "own.relhash")
    alone = FittedModel.load(tmp_path / "own.relhash")
    complete = FittedModel.load(tmp_path / "own.relhash", vectors=vectors)
    np.testing.assert_array_equal(alone.scores(fulltext), model.scores(fulltext))
    np.testing.assert_array_equal(complete.scores(fulltext), model.scores(fulltext))
    other = WordVectors(words, rng.normal(size=(len(words), 8)))
    with pytest.raises(ModelFileError, match="hash differs"):
        FittedModel.load(tmp_path / "own.relhash", vectors=other)


class TestDamage:
    def test_every_truncation(self, model_file, tmp_path):
        content = model_file.read_bytes()
        for size in [0, 1, 100, len(content) // 2, len(content) - 1]:
            (tmp_path / "cut.relhash").write_bytes(content[:size])
            with pytest.raises(ModelFileError, match=r"cut\.relhash"):
                FittedModel.load(tmp_path / "cut.relhash")

    def test_flipped_bytes(self, model_file, rich_model, fulltext, tmp_path):
        """A flipped byte is refused, or it lies where it changes nothing (a date in the zip's table of contents)."""
        content = bytearray(model_file.read_bytes())
        rng = np.random.default_rng(0)
        expected = rich_model.scores(fulltext)
        for position in rng.integers(0, len(content), 40):
            damaged = bytearray(content)
            damaged[position] ^= 0x55
            (tmp_path / "flipped.relhash").write_bytes(damaged)
            try:
                model = FittedModel.load(tmp_path / "flipped.relhash")
            except ModelFileError:
                continue
            np.testing.assert_array_equal(model.scores(fulltext), expected)

    @pytest.mark.parametrize("part", ["features.npz", "decision.npz", "types.npz", "sentences.npz"])
    def test_a_part_is_missing_or_exchanged(self, part, model_file, tmp_path):
        missing = rewritten(model_file, tmp_path / "missing.relhash", lambda n, c: None if n == part else c)
        with pytest.raises(ModelFileError, match="incomplete"):
            FittedModel.load(missing)
        exchanged = rewritten(model_file, tmp_path / "exchanged.relhash", lambda n, c: c + b"x" if n == part else c)
        with pytest.raises(ModelFileError, match="checksum"):
            FittedModel.load(exchanged)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"schema": 99}, "schema version 99"),
            ({"format": "other"}, "not a RelHash model"),
            ({"parts": {}}, "features"),
            ({"settings": {}}, "understands"),
            ({"decision": {"classifier": "oracle"}}, "oracle"),
            ({"end_to_end": {"pair_slope": 1}}, "EndToEnd"),
        ],
    )
    def test_other_manifests(self, changes, message, model_file, tmp_path):
        with pytest.raises(ModelFileError, match=message):
            FittedModel.load(rewritten(model_file, tmp_path / "m.relhash", manifest_with(**changes)))

    def test_a_file_from_before_the_end_to_end_calibration(self, model_file, rich_model, fulltext, tmp_path):
        def change(name, content):
            if name != "manifest.json":
                return content
            return json.dumps({key: value for key, value in json.loads(content).items() if key != "end_to_end"})

        old = FittedModel.load(rewritten(model_file, tmp_path / "old.relhash", change))
        np.testing.assert_array_equal(old.predict_proba(fulltext), rich_model.predict_proba(fulltext))

    def test_what_is_known_of_rows_since_then_stands_beside_it(self, rich_model, tmp_path):
        file, model = tmp_path / "m.relhash", rich_model.model_
        model.save(file)
        rule = EndToEnd(1.5, 2.0, threshold=0.5)
        save_rows(replace(model, end_to_end=rule, card={**model.card, "raw_text": {"rows": 2}}), file)
        before, after = FittedModel.load(file, n_jobs=1), read_manifest(file)
        assert before.end_to_end == rule
        assert before.card["raw_text"] == after["card"]["raw_text"] == {"rows": 2}
        (beside,) = tmp_path.glob("*.rows.json")
        beside.write_text("{}")
        with pytest.raises(ModelFileError, match=r"m\.rows\.json: .* delete it"):
            FittedModel.load(file)
        beside.unlink()
        again = FittedModel.load(file, n_jobs=1)
        assert again.end_to_end == model.end_to_end
        assert again.identity != before.identity

    def test_vectors_of_another_version(self, model_file, tmp_path):
        with zipfile.ZipFile(model_file) as archive:
            features = json.loads(archive.read("manifest.json"))["features"]
        features["code"]["kernels"]["vectors"] = {"name": "biomed100", "sha256": "0"}
        changed = rewritten(model_file, tmp_path / "m.relhash", manifest_with(features=features))
        with pytest.raises(ModelFileError, match="another version"):
            FittedModel.load(changed)

    def test_not_a_model(self, tmp_path):
        (tmp_path / "text.relhash").write_text("hello")
        for path in (tmp_path / "text.relhash", tmp_path, tmp_path / "absent.relhash"):
            with pytest.raises(ModelFileError):
                FittedModel.load(path)


def test_networks_come_back(abstracts, fulltext, tmp_path):
    """A model with neural hash functions is arrays like any other, and gives the same file when it is saved again."""
    pytest.importorskip("torch", reason="needs the extra neural")
    learner = {"hash_function": "neural", "n_bits": 12, "network": {"units": 5, "epochs": 3}}
    views = ("path+edges", "between", "descriptors")
    model = RelationExtractor("NLSH-NU-RF", views=views, learner=learner, classifier=ForestClassifier(5))
    model.fit(abstracts, adapt_to=fulltext).save(tmp_path / "m.relhash")
    again = FittedModel.load(tmp_path / "m.relhash", n_jobs=2)
    np.testing.assert_array_equal(again.hashcodes(fulltext), model.hashcodes(fulltext))
    np.testing.assert_array_equal(again.scores(fulltext), model.scores(fulltext))
    again.save(tmp_path / "again.relhash")
    assert (tmp_path / "again.relhash").read_bytes() == (tmp_path / "m.relhash").read_bytes()


def test_a_file_may_not_name_a_package_to_be_imported(model_file, tmp_path, monkeypatch, fulltext):
    """Loading a spaCy package runs its code; the name of one in a model file was enough for that."""
    package = tmp_path / "evil_package"
    package.mkdir()
    (package / "__init__.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(tmp_path)
    reading = json.loads(zipfile.ZipFile(model_file).read("manifest.json"))["reading"] | {"source": "evil_package"}
    evil = rewritten(model_file, tmp_path / "evil.relhash", manifest_with(reading=reading))
    with pytest.raises(ModelFileError, match=r"evil\.relhash: .*'evil_package'.*--parses evil_package"):
        FittedModel.load(evil)
    assert not (tmp_path / "ran").exists()
    assert FittedModel.load(evil, parses="evil_package").parses.source == "evil_package", "the user's own word"
    with pytest.raises(ModelFileError, match="evil_package"):
        FittedModel.load(evil, parses="another")


def test_a_bomb_in_a_part_is_not_unpacked(model_file, tmp_path, monkeypatch):
    import hashlib

    from relhash.model import model_file as archive

    monkeypatch.setattr("relhash.codec.ALWAYS_ALLOWED", 1 << 20)
    packed = archive._pack({"hashes": np.zeros(1 << 20, np.uint64)})
    manifest = json.loads(zipfile.ZipFile(model_file).read("manifest.json"))
    manifest["parts"]["sentences.npz"] = hashlib.sha256(packed).hexdigest()
    changes = {"manifest.json": json.dumps(manifest), "sentences.npz": packed}
    bomb = rewritten(model_file, tmp_path / "bomb.relhash", lambda name, content: changes.get(name, content))
    with pytest.raises(ModelFileError, match="unpacks to 8,388,"):
        FittedModel.load(bomb)


def test_a_bomb_in_the_manifest_is_not_unpacked(model_file, tmp_path, monkeypatch):
    """A file of 3 MB whose manifest is 3 GB of blanks took 6 GB and a minute to be refused."""
    from relhash.model import model_file as archive

    monkeypatch.setattr(archive, "MANIFEST_ALLOWED", 1 << 20)
    bomb = rewritten(
        model_file,
        tmp_path / "bomb.relhash",
        lambda name, content: content + b" " * (8 << 20) if name == "manifest.json" else content,
    )
    with pytest.raises(ModelFileError, match=r"bomb\.relhash: a manifest of .* unpacks to 8,39"):
        FittedModel.load(bomb)


def test_only_the_very_file_that_is_meant(model_file):
    import hashlib

    meant = hashlib.sha256(model_file.read_bytes()).hexdigest()
    assert FittedModel.load(model_file, sha256=meant.upper()).preset
    with pytest.raises(ModelFileError, match="not the file that was asked for"):
        FittedModel.load(model_file, sha256="0" * 64)
    with pytest.raises(ParameterError, match="64 hexadecimal"):
        FittedModel.load(model_file, sha256="abc")


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 10**400], ids=["NaN", "infinite", "large"])
def test_a_threshold_that_is_no_number_is_refused(model_file, tmp_path, wrong):
    """What compares with NaN is never true: such a model found nothing, and said nothing."""
    decision = json.loads(zipfile.ZipFile(model_file).read("manifest.json"))["decision"]
    decision["threshold"]["score"] = wrong
    changed = rewritten(model_file, tmp_path / "nan.relhash", manifest_with(decision=decision))
    with pytest.raises(ModelFileError, match=r"(NaN|Infinity|10000000000000000000) in the manifest"):
        FittedModel.load(changed)


KEPT = Path(__file__).parent / "kept"


@pytest.mark.parametrize("schema", range(OLDEST_SCHEMA, SCHEMA_VERSION + 1))
def test_files_of_earlier_versions_are_read(schema):
    """A file of each version that we say we read, written by the program of its time."""
    model = FittedModel.load(KEPT / f"schema-{schema}.relhash", cache=False)
    text = Corpus.of(list(relhash.read(resource_path("demo") / "fulltext.jsonl.gz"))[:5])
    expected = json.loads((KEPT / f"schema-{schema}.json").read_text())
    assert [round(score, 6) for score in model.scores(text)] == expected


def test_models_of_the_last_release_are_read():
    """A minor version reads what the one before has written: the schema of 0.2 is that of 0.1."""
    assert read_manifest(KEPT / "schema-3.relhash")["relhash"] == "0.1.0"
    assert relhash.__version__.startswith("0.3.")
