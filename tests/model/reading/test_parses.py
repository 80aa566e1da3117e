"""One source of parses for one model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates import candidates
from relhash.errors import StructureError
from relhash.model.reading.reader import NO_PARSE, check_parse_source, parse_source, parsed_views


def with_sentences(corpus, **changes):
    return [replace(d, sentences=tuple(replace(s, **changes) for s in d.sentences)) for d in corpus.documents[:3]]


def parsed_by(corpus, name):
    return with_sentences(corpus, parser=name)


def unparsed(corpus):
    return with_sentences(corpus, dependencies=(), parser="")


def test_the_source_of_a_corpus_is_its_parser_and_scheme(abstracts):
    found = list(candidates(parsed_by(abstracts, "mine 1.0")))
    assert parse_source(found).startswith("mine 1.0 (")
    assert parse_source(candidates(unparsed(abstracts))) == NO_PARSE


def test_two_sources_are_one_too_many(abstracts, fulltext):
    mixed = [*candidates(parsed_by(abstracts, "mine 1.0")), *candidates(parsed_by(fulltext, "yours 2.0"))]
    with pytest.raises(StructureError, match=r"mine 1\.0.*yours 2\.0.*--parses embedded"):
        parse_source(mixed)


def test_another_source_than_expected_is_refused(abstracts):
    found = list(candidates(parsed_by(abstracts, "mine 1.0")))
    check_parse_source(found, parse_source(found))
    check_parse_source([], "whatever")
    with pytest.raises(StructureError, match=r"was parsed by mine 1\.0"):
        check_parse_source(found, "yours 2.0 (ud)")
    with pytest.raises(StructureError, match="has no parse"):
        check_parse_source(list(candidates(unparsed(abstracts))), "yours 2.0 (ud)")


def test_views_that_walk_dependencies_are_known():
    assert parsed_views(["between", "path", "descriptors", "window(1,1)", "role(theme)"]) == ["path", "role(theme)"]
