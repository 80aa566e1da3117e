"""Models with neural hash functions: in files, out of them, and nothing believed that does not add up."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from relhash.errors import DataMissingError, ModelFileError
from relhash.models import RelationExtractor

pytest.importorskip("torch", reason="needs the extra neural")
safetensors = pytest.importorskip("safetensors.numpy", reason="needs the extra neural")

NETWORKS = "networks.safetensors"
NEURAL = {"hash_function": "neural", "n_bits": 12}


@pytest.fixture(scope="module")
def model(abstracts, fulltext) -> RelationExtractor:
    learner = {**NEURAL, "network": {"encoder": "lstm", "epochs": 3}}
    extractor = RelationExtractor("NLSH-NU-RF", learner=learner, classifier="forest n_trees=5", random_state=2)
    return extractor.fit(abstracts, adapt_to=fulltext)


@pytest.fixture(scope="module")
def model_file(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "neural.relhash"
    model.save(path)
    return path


def test_loaded_model_predicts_the_same_bits(model, model_file, fulltext, tmp_path):
    again = RelationExtractor.load(model_file, n_jobs=2)
    np.testing.assert_array_equal(again.hashcodes(fulltext), model.hashcodes(fulltext))
    np.testing.assert_array_equal(again.scores(fulltext), model.scores(fulltext))
    again.save(tmp_path / "again.relhash")
    assert (tmp_path / "again.relhash").read_bytes() == model_file.read_bytes()


def test_several_views_and_encoders(abstracts, fulltext, tmp_path):
    learner = {**NEURAL, "network": {"encoder": "cnn", "units": 5, "epochs": 3}}
    views = ("path+edges", "between", "descriptors")
    model = RelationExtractor("NLSH-NU-RF", views=views, learner=learner, classifier="forest n_trees=5").fit(abstracts)
    model.save(tmp_path / "m.relhash")
    np.testing.assert_array_equal(RelationExtractor.load(tmp_path / "m.relhash").scores(fulltext), model.scores(fulltext))


def test_the_part_is_named_tensors_with_a_checksum(model, model_file):
    with zipfile.ZipFile(model_file) as archive:
        content = archive.read(NETWORKS)
        assert json.loads(archive.read("manifest.json"))["parts"][NETWORKS] == hashlib.sha256(content).hexdigest()
    tensors = safetensors.load(content)
    assert tensors["path+edges/recurrent"].shape == (12, 2, 8, 32)
    assert set(tensors) == {f"path+edges/{name}" for name in ("input", "between", "recurrent", "bias", "output", "intercept")}


NO_TORCH = """import sys
class NoTorch:
    def find_spec(name, path=None, target=None):
        if name.split('.')[0] == 'torch':
            raise ImportError(name)
sys.meta_path.insert(0, NoTorch)"""


def without_torch(code: str, *arguments: str) -> str:
    """Run a program in which ``import torch`` fails."""
    program = f"{NO_TORCH}\n{code}"
    return subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True).stdout


def test_predicts_without_torch(model, model_file, fulltext):
    code = (
        "from relhash.corpus import Corpus; import relhash; from relhash.models import RelationExtractor\n"
        "from relhash.resources import resource_path\n"
        "documents = list(relhash.read(resource_path('demo') / 'fulltext.jsonl.gz'))[:25]\n"
        "print(RelationExtractor.load(sys.argv[1]).scores(Corpus.of(documents, 'fulltext')).tobytes().hex())"
    )
    assert without_torch(code, str(model_file)).strip() == model.scores(fulltext).tobytes().hex()


def test_without_safetensors_the_error_names_the_extra(model, model_file, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(DataMissingError, match=r"neural\.relhash: .*relhash\[neural\]"):
        RelationExtractor.load(model_file)
    with pytest.raises(DataMissingError, match=r"relhash\[neural\]"):
        model.save(tmp_path / "m.relhash")
    assert not (tmp_path / "m.relhash").exists()


def rewritten(path, target, content):
    """A copy with another part of networks, of which the manifest holds the right checksum."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            own = content if name == NETWORKS else source.read(name)
            if name == "manifest.json":
                manifest = json.loads(own)
                manifest["parts"][NETWORKS] = hashlib.sha256(content).hexdigest()
                own = json.dumps(manifest).encode()
            copy.writestr(name, own)
    return target


class TestDamage:
    def load(self, model_file, tmp_path, content):
        return RelationExtractor.load(rewritten(model_file, tmp_path / "m.relhash", content))

    @pytest.fixture
    def tensors(self, model_file):
        with zipfile.ZipFile(model_file) as archive:
            return safetensors.load(archive.read(NETWORKS))

    def test_no_safetensors(self, model_file, tmp_path):
        for content in (b"", b"hello", b"\xff" * 100):
            with pytest.raises(ModelFileError, match=r"m\.relhash: .*networks"):
                self.load(model_file, tmp_path, content)

    @pytest.mark.parametrize(
        "change",
        [
            lambda tensors: tensors.pop("path+edges/output"),
            lambda tensors: tensors.update({"path+edges/output": tensors["path+edges/output"][:-1].copy()}),
            lambda tensors: tensors.update({"path+edges/input": tensors["path+edges/input"][:, :, :-1].copy()}),
            lambda tensors: tensors.update({"path+edges/bias": np.full_like(tensors["path+edges/bias"], np.nan)}),
            lambda tensors: tensors.update({"path+edges/input": np.zeros(3, np.float32)}),
        ],
        ids=["missing", "a row short", "a column short", "not numbers", "flat"],
    )
    def test_tensors_that_do_not_fit(self, model_file, tmp_path, tensors, change):
        change(tensors)
        with pytest.raises(ModelFileError, match=r"m\.relhash: "):
            self.load(model_file, tmp_path, safetensors.save(tensors))

    def test_checksum(self, model_file, tmp_path):
        with zipfile.ZipFile(model_file) as source, zipfile.ZipFile(tmp_path / "m.relhash", "w") as copy:
            for name in source.namelist():
                copy.writestr(name, source.read(name) + (b"x" if name == NETWORKS else b""))
        with pytest.raises(ModelFileError, match="checksum"):
            RelationExtractor.load(tmp_path / "m.relhash")


def test_the_core_never_imports_torch():
    code = (
        "import relhash\n"
        "from relhash.corpus import Corpus; from relhash.models import RelationExtractor\n"
        "from relhash.resources import resource_path; from relhash.cli.main import main\n"
        "documents = list(relhash.read(resource_path('demo') / 'fulltext.jsonl.gz'))[:12]\n"
        "RelationExtractor('KLSH-NU-RF', learner={'n_bits': 4}, classifier='forest n_trees=2').fit(Corpus.of(documents, 'x'))\n"
        "try:\n    main(['info'])\nexcept SystemExit as exited:\n    assert not exited.code\n"
    )
    ran = subprocess.run([sys.executable, "-X", "importtime", "-c", code], check=True, capture_output=True, text=True)
    imported = {line.rsplit("|", 1)[-1].strip() for line in ran.stderr.splitlines() if line.startswith("import time:")}
    assert "relhash.hashing.learner" in imported
    assert not {name for name in imported if name.split(".")[0] in ("torch", "safetensors", "transformers")}
