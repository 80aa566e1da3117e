"""Tokens and dependencies in unified XML: which of several parses to take, and how to read it.

A sentence may hold several tokenisations and several parses, each of which names the tokenisation it was made on.
"""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from relhash.corpus.document import Dependency, Token
from relhash.corpus.xml_safety import place_of
from relhash.errors import CorpusError

FILE_PARSER = "file:"
"""Parses that come with a corpus are named ``file:split_parse``, so that no model takes them for those of a parser at hand."""
OWN_PARSE = "relhash"
"""``source`` of a parse that we wrote: its parser is known by its own name."""

DEFAULT_SCHEME = "stanford-collapsed"
"""The label scheme of all published files; ours say it when it is another."""

_PREFERRED = ("split_parse", "split")


def read_parse(
    sentence: etree._Element, *, base: int, after_end: int, wanted: str | None, path: Path
) -> tuple[tuple[Token, ...], tuple[Dependency, ...], str]:
    """Tokens, dependencies and the name of the parser; empty where the sentence has none.

    Parameters
    ----------
    base
        Where the sentence begins in the document.
    after_end
        What must be added to the end of a ``charOffset``: 1 when ends are inclusive.
    wanted
        Name of the parse to take, or ``None`` for ``split_parse`` if it is there, else the first.
    """
    parses: list[etree._Element] = []
    tokenizations: list[etree._Element] = []
    for analyses in sentence:
        if analyses.tag == "sentenceanalyses" or analyses.tag == "analyses":
            for group in analyses:
                for analysis in group if group.tag in ("parses", "tokenizations") else (group,):
                    if analysis.tag == "parse":
                        parses.append(analysis)
                    elif analysis.tag == "tokenization":
                        tokenizations.append(analysis)
    parse = _chosen_parse(parses, wanted, sentence, path)
    if parse is None:
        tokenization = _preferred(tokenizations, "tokenizer")
        return ((), (), "") if tokenization is None else (_tokens(tokenization, base, after_end, path)[0], (), "")
    tokens, index = _tokens(_tokenization_of(parse, tokenizations, sentence, path), base, after_end, path)
    name = parse.get("parser", "")
    return (
        tokens,
        _dependencies(parse, index, sentence, path),
        name if parse.get("source") == OWN_PARSE else FILE_PARSER + name,
    )


def _chosen_parse(
    parses: list[etree._Element], wanted: str | None, sentence: etree._Element, path: Path
) -> etree._Element | None:
    if wanted is None:
        return _preferred(parses, "parser")
    for parse in parses:
        if parse.get("parser") == wanted:
            return parse
    there = ", ".join(repr(parse.get("parser")) for parse in parses) or "none"
    raise CorpusError(f"there is no parse {wanted!r} (there: {there})", path=path, where=place_of(sentence))


def _preferred(elements: list[etree._Element], attribute: str) -> etree._Element | None:
    for name in _PREFERRED:
        for element in elements:
            if element.get(attribute) == name:
                return element
    return elements[0] if elements else None


def _tokenization_of(
    parse: etree._Element, tokenizations: list[etree._Element], sentence: etree._Element, path: Path
) -> etree._Element:
    name = parse.get("tokenizer")
    for tokenization in tokenizations:
        if name is None or tokenization.get("tokenizer") == name:
            return tokenization
    raise CorpusError(
        f"the parse {parse.get('parser')!r} needs the tokenization {name!r}, which is missing",
        path=path,
        where=place_of(sentence),
    )


def _tokens(tokenization: etree._Element, base: int, after_end: int, path: Path) -> tuple[tuple[Token, ...], dict[str, int]]:
    """The tokens, and the index of each by its id."""
    tokens = []
    index = {}
    to_end = base + after_end
    for number, element in enumerate(tokenization):
        get = element.get
        try:
            start, _, end = get("charOffset", "").partition("-")
            token = Token(int(start) + base, int(end) + to_end, get("text", ""), get("POS", ""), get("lemma", ""))
        except ValueError as error:
            raise CorpusError(
                f"charOffset={get('charOffset')!r} of a token is not of the form start-end",
                path=path,
                where=place_of(element),
            ) from error
        index[get("id", "")] = number
        tokens.append(token)
    return tuple(tokens), index


def _dependencies(parse: etree._Element, index: dict[str, int], sentence: etree._Element, path: Path) -> tuple[Dependency, ...]:
    dependencies = []
    scheme = parse.get("scheme", DEFAULT_SCHEME)
    for element in parse:
        get = element.get
        label = get("type", "")
        try:
            dependencies.append(Dependency(index[get("t1", "")], index[get("t2", "")], label, scheme))
        except KeyError as error:
            if label.lower() == "root":  # some parsers write an arc from nowhere to the root
                continue
            raise CorpusError(
                f"the dependency {label!r} refers to the token {error.args[0]!r}, which does not exist",
                path=path,
                where=place_of(sentence),
            ) from error
    return tuple(dependencies)
