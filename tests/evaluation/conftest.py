"""A benchmark folder made of parts of the embedded corpora, under the names that the protocols ask for."""

from __future__ import annotations

import pytest

import relhash
from relhash.corpus import Corpus
from relhash.resources import resource_path


@pytest.fixture(scope="session")
def toy_data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    (root / "ppi").mkdir()
    for name, file, n in (("abstracts", "AIMed", 30), ("fulltext", "BioInfer", 20), ("fulltext", "HPRD50", 8)):
        documents = list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))
        chosen = documents[:n] if file != "HPRD50" else documents[-n:]
        # the protocols name XML files; a reader recognises content, so JSON Lines under that name would confuse: write XML
        relhash.write(Corpus.of(chosen, file), root / "ppi" / f"{file}.xml", "unified-xml")
    return root
