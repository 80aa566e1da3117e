"""One pipeline out of several trainings, small enough to ship."""

from __future__ import annotations

import json
from pathlib import Path

import spacy
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.language import Language
from spacy.symbols import IDS

from relhash.language.compact import save_compact
from relhash.language.lemmas import Lemmas

NAME, VERSION = "biomed_en", "1.0.0"


def assemble(syntax: Path, recognizers: dict[str, Path], lemmas: Lemmas, output: Path) -> Language:
    """Tagger and parser of ``syntax``, each recognizer with its own embedding inside it, the tables of lemmas → ``output``."""
    nlp = spacy.load(syntax)
    for name, folder in recognizers.items():
        source = spacy.load(folder)
        source.replace_listeners("tok2vec", "ner", ["model.tok2vec"])
        nlp.add_pipe("ner", name=name, source=source)
    lemmas.store_in(nlp)
    nlp.config["paths"] = dict.fromkeys(nlp.config["paths"])  # where we trained is nobody's business
    nlp.meta.update(
        name=NAME,
        version=VERSION,
        description="Biomedical English for RelHash: tags, dependencies, chemicals, diseases",
        author="The RelHash authors",
        license="CC BY 4.0",
        dependency_scheme="craft",
        performance={},  # what spaCy noted is of the selection part; measured scores stand in the card
    )
    save_compact(nlp, output)
    (output / "words.json").write_text(words_of_spacy() + "\n", encoding="utf-8")
    return nlp


def words_of_spacy() -> str:
    """What spaCy knows before any training: strings with a number of their own, and other forms of signs."""
    words = {"numbered": sorted(IDS, key=IDS.get), "norms": BASE_NORMS}
    return json.dumps(words, ensure_ascii=False, indent=0).replace("\n", " ")
