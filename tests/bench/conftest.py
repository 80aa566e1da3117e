"""A benchmark folder made of parts of the embedded corpora, under the names that the protocols ask for, and quick systems."""

from __future__ import annotations

from dataclasses import replace

import pytest

import relhash
from relhash.bench.datasets.language_gold import tree_paragraphs
from relhash.bench.systems.listed import SYSTEMS
from relhash.bench.systems.system import PresetSystem
from relhash.corpus import Corpus
from relhash.learn import LinearClassifier
from relhash.learn.decision import DecisionSettings
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


@pytest.fixture
def small_systems(monkeypatch):
    """Three systems with few bits and a quick classifier."""
    decision = DecisionSettings((LinearClassifier(0.1),), n_folds=3)
    for name in ("KLSH-NU-RF", "random", "NU+linear"):
        system = SYSTEMS[name]
        assert isinstance(system, PresetSystem)
        preset = replace(system.preset, learner={**system.preset.learner, "n_bits": 8}, decision=decision)
        monkeypatch.setitem(SYSTEMS, name, replace(system, preset=preset))


CONLLU = """# newpar id = a-p0
# sent_id = 0
# text = Ras binds Raf.
1\tRas\tras\tNOUN\tNN\t_\t2\tnsubj\t_\t_
2\tbinds\tbind\tVERB\tVBZ\t_\t0\troot\t_\t_
3\tRaf\traf\tNOUN\tNN\t_\t2\tdobj\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# sent_id = 1
# text = It works.
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tworks\twork\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

# newpar id = a-p1
# sent_id = 2
# text = Methods
1\tMethods\tmethod\tNOUN\tNNS\t_\t0\troot\t_\t_
"""


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return list(tree_paragraphs(path))
