"""One model, one source of parses: text of any kind is read as the model was fitted, or refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.corpus import Corpus, Document
from relhash.errors import LanguageError, ModelFileError, ParameterError
from relhash.language import Lexicon, LexiconEntry, ParseCache, Pipeline
from relhash.learn import LinearClassifier
from relhash.model import FittedModel, RelationExtractor
from relhash.model.reading import reader as reading
from relhash.model.reading.reader import EMBEDDED, ParseSettings, Reader, choose_parses
from tests.model.changed_text import without_parses

TINY = {"learner": {"n_bits": 12}, "classifier": LinearClassifier(0.1), "cache": False}
RAW = "RAF1 binds to MEK1 in patients given aspirin. The interaction of STAT3 with JAK2 was lost."


def bare(corpus):
    """Text and mentions, as brat has them."""
    return Corpus.of(replace(document, sentences=()) for document in corpus)


@pytest.fixture(scope="module")
def some(abstracts):
    return Corpus.of(abstracts.documents[:20], "abstracts")


@pytest.fixture(scope="module")
def model(some, fulltext):
    """Fitted on text of which one side has no parses."""
    return RelationExtractor("KLSH-NU-RF", **TINY).fit(some, adapt_to=without_parses(Corpus.of(fulltext.documents[:10])))


def test_text_without_parses_asks_for_the_pipeline(model, some, fulltext):
    assert model.model_.parses.source == EMBEDDED
    assert model.model_.parses.parser.startswith("biomed_en")
    assert model.model_.parse_source.startswith(model.model_.parses.parser)
    assert "biomed_en" in model.model_.card["parses"]
    settings = choose_parses("auto", some.documents, fulltext.documents, needs_parse=True, needs_split=True)
    assert not settings.uses_pipeline, "everything has parses"


@pytest.mark.parametrize("strip", [without_parses, bare])
def test_parses_from_elsewhere_make_no_difference(model, fulltext, strip):
    """The text is parsed anew; entities and, where there are some, sentences are those of the file."""
    given = Corpus.of(fulltext.documents[:6])
    found, again = (model.predict(corpus, all_candidates=True) for corpus in (given, strip(given)))
    assert found
    assert [p.candidate.mentions for p in found] == [p.candidate.mentions for p in again]
    if strip is without_parses:
        assert [p.score for p in found] == [p.score for p in again]


def test_raw_text_is_split_tagged_and_parsed(model):
    found = model.predict([Document("raw", RAW)], all_candidates=True)
    pairs = {tuple(m.text for m in p.candidate.mentions): p for p in found}
    assert set(pairs) == {("RAF1", "MEK1"), ("STAT3", "JAK2")}, "aspirin is no protein, as in the training text"
    first = pairs["RAF1", "MEK1"]
    assert first.evidence.tokens == ("<E1>", "<nsubj", "binds", "prep_to>", "<E2>")
    assert [RAW[m.start : m.end] for m in first.candidate.mentions] == ["RAF1", "MEK1"]
    assert model.hashcodes([Document("raw", RAW)]).shape == (2, 1)


def test_each_document_comes_back_with_its_relations(model):
    documents = [Document("one", RAW), Document("none", "Nothing here."), Document("empty", ""), Document("two", RAW)]
    read = list(model.annotate(documents, all_candidates=True))
    assert [(document.id, len(found)) for document, found in read] == [("one", 2), ("none", 0), ("empty", 0), ("two", 2)]
    assert [p.score for p in read[0][1]] == [p.score for p in read[3][1]]
    assert model.predict_proba([Document("empty", " ")]).size == 0


def told(prediction):
    """A row without the name of the model, which is that of its file once it has one."""
    return {name: value for name, value in prediction.as_row().items() if name not in ("model", "model_version")}


def test_a_model_file_keeps_how_to_read(model, tmp_path):
    model.save(tmp_path / "m.relhash")
    loaded = FittedModel.load(tmp_path / "m.relhash", cache=False)
    assert (loaded.parses, loaded.pair_types) == (model.model_.parses, model.model_.pair_types)
    mine, theirs = (one.predict([Document("raw", RAW)], all_candidates=True) for one in (model, loaded))
    assert [told(p) for p in mine] == [told(p) for p in theirs]


def test_another_version_of_the_pipeline_is_refused(model):
    other = Reader(replace(model.model_.parses, parser="biomed_en 0.0.1 (craft) blinded"))
    with pytest.raises(ModelFileError, match=r"0\.0\.1.*fit it again"):
        next(other([Document("raw", RAW)]))


def test_what_the_pipeline_has_parsed_is_not_parsed_again(model, fulltext, monkeypatch):
    read = list(model.model_.read(fulltext.documents[:3]))
    scores = model.scores(read)
    monkeypatch.setattr(Pipeline, "_parse", lambda self, documents: pytest.fail("parsed again") if documents else [])
    np.testing.assert_array_equal(model.scores(read), scores)
    settings = choose_parses("auto", read, [], needs_parse=True, needs_split=True)
    assert settings.source == EMBEDDED, "parses of our own: the model can go on with raw text"


def test_a_cache_changes_nothing(model, tmp_path):
    plain = list(model.model_.read([Document("raw", RAW)]))
    reader = Reader(model.model_.parses, cache=ParseCache(tmp_path), ground=True)
    assert list(reader([Document("raw", RAW)])) == list(reader([Document("raw", RAW)])) == plain
    assert [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_lexicon_gives_ids(model):
    lexicon = Lexicon((LexiconEntry("RAF1", "HGNC:9829"), LexiconEntry("patients", "", "species")))
    reader = Reader(model.model_.parses, lexicon=lexicon)
    (document,) = reader([Document("raw", RAW)])
    assert {(m.text, m.ids) for m in document.mentions if m.ids} == {("RAF1", ("HGNC:9829",))}
    assert {m.type for m in document.mentions} == {"protein"}


def test_grounding_changes_nothing_but_ids_and_comes_after_the_lexicon(model, tmp_path):
    cache = ParseCache(tmp_path)
    lexicon = Lexicon((LexiconEntry("RAF1", "MY:1"),))
    (plain,) = Reader(model.model_.parses, lexicon=lexicon, cache=cache)([Document("raw", RAW)])
    (grounded,) = Reader(model.model_.parses, lexicon=lexicon, cache=cache, ground=True)([Document("raw", RAW)])
    ids = {m.text: m.ids for m in grounded.mentions}
    assert (ids["RAF1"], ids["MEK1"]) == (("MY:1",), ("HGNC:6840",))
    assert replace(grounded, mentions=tuple(replace(m, ids=()) for m in grounded.mentions)) == replace(
        plain, mentions=tuple(replace(m, ids=()) for m in plain.mentions)
    )
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1  # the parse is kept once, without ids of ours


def test_types_that_nobody_can_find(model):
    organs = replace(model.model_.parses, types=("organ",))
    with pytest.raises(LanguageError, match=r"organ.*protein.*--lexicon"):
        list(Reader(organs)([Document("raw", "The liver.")]))
    names = Lexicon((LexiconEntry("liver", "UBERON:0002107", "organ"),))
    (document,) = Reader(organs, lexicon=names)([Document("raw", "The liver.")])
    assert [(m.text, m.type) for m in document.mentions] == [("liver", "organ")]
    anything = replace(model.model_.parses, types=("entity",))
    (document,) = Reader(anything)([Document("raw", RAW)])
    assert {m.type for m in document.mentions} >= {"protein", "chemical"}


def test_raw_text_cannot_be_learned_from(model):
    with pytest.raises(ParameterError, match=r"no annotated entities.*--adapt"):
        RelationExtractor("KLSH-NU-RF", **TINY).fit([Document("raw", RAW)])


def test_adapting_to_raw_text(some):
    model = RelationExtractor("KLSH-NU-RF", **TINY).fit(some, adapt_to=[Document("raw", RAW), Document("empty", "")])
    assert model.model_.card["adapted_to"] == {"documents": 1, "candidates": 2}


def test_parses_of_a_model_that_is_not_there(some):
    with pytest.raises(LanguageError, match="no_such_model"):
        RelationExtractor("KLSH-NU-RF", **TINY, parses="no_such_model").fit(some)
    with pytest.raises(ParameterError, match="parses"):
        RelationExtractor("KLSH-NU-RF", **TINY, parses="").fit(some)


def test_the_settings_are_plain_data():
    settings = ParseSettings(EMBEDDED, blind=False, types=("protein",))
    assert ParseSettings.from_dict(settings.to_dict()) == settings


def test_processes_change_nothing(model, monkeypatch, tmp_path):
    """The same documents, in the same order, tagged and grounded, whoever parses them; what is parsed is counted here."""
    monkeypatch.setattr(reading, "FEW", 4)
    monkeypatch.setattr(reading, "BATCH", 2)
    texts = ["Ras binds to Raf.", "MEK1 inhibits ERK2. It does not bind STAT3.", "", "RAF1 (Raf) and JAK2 interact."]
    documents = [Document(f"d{number}", texts[number % 4]) for number in range(9)]
    settings, cache = model.fitted.parses, ParseCache(tmp_path)
    parsed: list[str] = []
    elsewhere = Reader(settings, cache=cache, ground=True, n_jobs=2)
    read = list(elsewhere(documents, on_document=lambda one: parsed.append(one.id)))
    assert read == list(Reader(settings, ground=True)(documents))
    assert parsed == [document.id for document in documents]
    assert any(mention.ids for document in read for mention in document.mentions)
    monkeypatch.setattr(reading, "in_order", lambda *given: pytest.fail("processes for a few documents"))
    assert list(elsewhere(documents[:3])) == read[:3]
