"""Grammars of the formats: files whose form is right and whose content makes little sense.

Damage mostly breaks the form, and a reader stops at the first check. A grammar gets past it: ids that nothing has, offsets out
of the text, heads in a circle, events of events, roles twice, empty names. A rule is a list of productions, ``«name»`` in them
another rule; a production that stands twice is twice as likely.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from relhash.corpus.nero import COLUMNS

Grammar = Mapping[str, Sequence[str]]

NERO_HEADER = "\t".join(COLUMNS)
DEEPEST = 12
"""Rules inside rules, after which the shortest production is taken, so that every file ends."""

SHARED: Grammar = {
    "text": [
        "RAF1 binds to MEK1.",
        "RAF1 binds to MEK1.",
        "α-Syn \u202edoes not",
        "A",
        "",
        "RAF1 RAF1 RAF1",
        "a  b\tc",
        "\U0001f600 x.",
    ],
    "name": ["RAF1", "MEK1", "RAF1", "α-Syn", "", " ", "binds", "R"],
    "type": ["protein", "protein", "Protein", "Gene", "chemical", "", "x y", "Binding", "Phosphorylation", "Negation"],
    "number": ["0", "4", "14", "18", "5", "10", "1", "2", "-1", "999", "19", "2147483648", "٣"],
    "id": ["T1", "T1", "T2", "T2", "T3", "E1", "E2", "R1", "*", "", "d|e", "α"],
    "role": ["Theme", "Theme2", "Cause", "Arg1", "Arg2", "Site", "", "AtLoc"],
    "bool": ["True", "False", "true", "1", "maybe", ""],
}

XML: Grammar = {
    **SHARED,
    "text": [text for text in SHARED["text"] if "\t" not in text],
    "span": ["«number»-«number»"] * 4 + ["«number»-«number»,«number»-«number»", "", "x"],
}

GRAMMARS: Mapping[str, tuple[str, Grammar]] = {
    "unified-xml": (
        "a.xml",
        {
            **XML,
            "file": ['<corpus source="x">«documents»</corpus>', "<corpus>«documents»</corpus>"],
            "documents": ["«document»", "«document»«documents»", ""],
            "document": ['<document id="«id»">«sentences»</document>', '<document id="d" text="«text»">«sentences»</document>'],
            "sentences": ["«sentence»", "«sentence»«sentences»"],
            "sentence": [
                '<sentence id="«id»" text="«text»">«parts»</sentence>',
                '<sentence id="s" text="«text»" charOffset="«span»">«parts»</sentence>',
            ],
            "parts": ["«part»«parts»", "«part»«parts»", "«part»«parts»", ""],
            "part": [
                '<entity id="«id»" charOffset="«span»" text="«name»" type="«type»"/>',
                '<entity id="T1" charOffset="0-3" text="RAF1" type="protein"/>',
                '<entity id="«id»" charOffset="«span»" type="«type»"/>',
                '<pair id="p" e1="«id»" e2="«id»" interaction="«bool»"/>',
                '<pair e1="«id»" e2="«id»" ddi="«bool»" type="«type»"/>',
                '<interaction id="i" e1="«id»" e2="«id»" type="«type»" directed="«bool»"/>',
                '<sentenceanalyses><tokenizations><tokenization tokenizer="t">«tokens»</tokenization></tokenizations>'
                '<parses><parse parser="p" tokenizer="t">«edges»</parse></parses></sentenceanalyses>',
            ],
            "tokens": ['<token id="«token»" POS="NN" text="«name»" charOffset="«span»"/>«tokens»', ""],
            "edges": ['<dependency id="e" type="nsubj" t1="«token»" t2="«token»"/>«edges»', ""],
            "token": ["t1", "t2", "t3", ""],
        },
    ),
    "bioc-xml": (
        "a.xml",
        {
            **XML,
            "file": ["<collection><source>x</source><date/><key/>«documents»</collection>"],
            "documents": [
                "<document><id>«id»</id>«passages»</document>",
                "<document><id>d</id>«passages»«relation»</document>«documents»",
            ],
            "passages": ["«passage»", "«passage»«passages»", ""],
            "passage": [
                "<passage><offset>«number»</offset><text>«text»</text>«notes»</passage>",
                "<passage><offset>0</offset>«sentences»</passage>",
            ],
            "sentences": ["<sentence><offset>«number»</offset><text>«text»</text>«notes»</sentence>«sentences»", ""],
            "notes": ["«note»«notes»", "«note»«notes»", ""],
            "note": [
                '<annotation id="«id»"><infon key="type">«type»</infon><location offset="«number»" length="«number»"/>'
                "<text>«name»</text></annotation>",
                "«relation»",
            ],
            "relation": ['<relation id="«id»"><infon key="type">«type»</infon>«nodes»</relation>'],
            "nodes": ['<node refid="«id»" role="«role»"/>«nodes»', '<node refid="«id»" role="«role»"/>', ""],
        },
    ),
    "pubmed-xml": (
        "a.xml",
        {
            **XML,
            "file": ["<PubmedArticleSet>«articles»</PubmedArticleSet>"],
            "articles": [
                "<PubmedArticle><MedlineCitation><PMID>«number»</PMID>«article»</MedlineCitation></PubmedArticle>«articles»",
                "",
            ],
            "article": ["<Article><ArticleTitle>«inner»</ArticleTitle>«abstract»</Article>", "", "<Article/>"],
            "abstract": ["<Abstract>«texts»</Abstract>", ""],
            "texts": ['<AbstractText Label="«type»">«inner»</AbstractText>«texts»', ""],
            "inner": ["«text»", "<i>«inner»</i>«inner»", "<sup>«number»</sup>", "&lt;&amp;", ""],
        },
    ),
    "jsonl": (
        "a.jsonl",
        {
            **SHARED,
            "text": ["RAF1 binds to MEK1.", "α does not", "", "A"],
            "file": ["«document»\n", "«document»\n«file»"],
            "document": ['{"id":"«id»","text":"«text»"«keys»}', '{"schema":"relhash/1","id":"d","text":"«text»"«keys»}'],
            "keys": [
                ',"sentences":[«sentences»]«keys»',
                ',"entities":[«entities»]«keys»',
                ',"relations":[«relations»]«keys»',
                "",
            ],
            "spans": ["[«number»,«number»]", "[«number»,«number»],«spans»", "", "[]"],
            "number": ["0", "4", "14", "18", "-1", "999", "1.5", "null", "1e400", '"2"'],
            "sentences": [
                '{"id":"«id»","offsets":[«spans»]}',
                '{"id":"s","offsets":[[0,19]],"tokens":[«tokens»]},«sentences»',
                "",
            ],
            "tokens": ['{"text":"«name»","offsets":[«spans»]}', '{"text":"«name»","start":«number»,"end":«number»}', ""],
            "entities": [
                '{"id":"«id»","type":"«type»","text":"«name»","offsets":[«spans»]},«entities»',
                '{"id":"T1","type":"protein","offsets":[[0,4]]}',
                "",
            ],
            "relations": ['{"id":"«id»","type":"«type»","arguments":[«arguments»]}', ""],
            "arguments": ['{"role":"«role»","ref_id":"«id»"},«arguments»', '{"role":"«role»","ref_id":"«id»"}', "{}"],
        },
    ),
    "pubtator": (
        "a.pubtator",
        {
            **SHARED,
            "file": ["«document»\n", "«document»\n\n«file»"],
            "document": ["1|t|«text»\n1|a|«text»«lines»", "«id»|t|«text»\n«id»|a|«text»«lines»"],
            "lines": [
                "\n1\t«number»\t«number»\t«name»\t«type»\t«base»«lines»",
                "\n1\t«type»\t«base»\t«base»«lines»",
                "\n1\t«type»\t«base»\t«base»\tNovel",
                "",
            ],
            "base": ["D001241", "HGNC:1", "-", "", "A|B", "1;2", "9"],
        },
    ),
    "conllu": (
        "a.conllu",
        {
            **SHARED,
            "file": ["«sentence»\n", "«sentence»\n«file»"],
            "sentence": ["# sent_id = «id»\n# text = «text»\n«rows»", "«rows»"],
            "rows": [
                "1\t«row»2\t«row»",
                "1\t«row»2\t«row»3\t«row»",
                "1\t«row»",
                "1-2\t«row»1\t«row»2\t«row»",
                "«place»\t«row»",
            ],
            "row": ["«word»\t«word»\tNOUN\tNN\t_\t«place»\tnsubj\t«deps»\t_\n"],
            "word": ["RAF1", "binds", "α", "_", "a b"],
            "place": ["1", "2", "3", "0", "0", "1", "2", "9", "2.1", "_", "-1", "٣"],
            "deps": ["_", "_", "«place»:nsubj", "«place»:a|«place»:b", "x"],
        },
    ),
    "amr": (
        "a.amr",
        {
            **SHARED,
            "file": ["# ::id «id»\n# ::snt «text»\n«node»\n\n", "# ::id x\n# ::snt RAF1 binds to MEK1.\n«node»\n\n«file»"],
            "node": ["(«var» / «concept»«roles»)", "(«var» / «concept»«roles»)", "(«var»)"],
            "roles": [" «edge» «value»«roles»", " «edge» «value»", ""],
            "value": ["«node»", "«var»", '"«name»"', "-", "«number»"],
            "edge": [":ARG0", ":ARG1", ":ARG0-of", ":op1", ":op²", ":name", ":polarity", ":", ":wiki"],
            "var": ["a", "b", "p", "n", "x1", ""],
            "concept": ["bind-01", "protein", "name", "and", "", "α"],
        },
    ),
    "standoff": (
        "a.ann",
        {
            **SHARED,
            "file": ["«line»\n", "«line»\n«file»", "«line»\n«file»"],
            "line": [
                "T«n»\t«type» «number» «number»\t«name»",
                "T1\tProtein 0 4\tRAF1",
                "T2\tProtein 14 18\tMEK1",
                "T3\tBinding 5 10\tbinds",
                "E«n»\t«type»:«ref» «args»",
                "R«n»\t«type» Arg1:«ref» Arg2:«ref»",
                "M«n»\tNegation «ref»",
                "A«n»\tNegation «ref»",
                "*\tEquiv «ref» «ref»",
                "N«n»\tReference «ref» HGNC:«number»\t«name»",
                "#«n»\tNote «ref»\t«text»",
            ],
            "args": ["«role»:«ref»", "«role»:«ref» «args»", ""],
            "n": ["1", "2", "3", "4", ""],
            "ref": ["T1", "T2", "T3", "E1", "E2", "E3", "R1", "T9", ""],
        },
    ),
    "nero": (
        "a.txt",
        {
            **SHARED,
            "file": [f"{NERO_HEADER}\n«rows»"],
            "rows": ["«row»\n«rows»", "«row»\n"],
            "row": [
                "«number»\t«name»\t«class»\t«type»\t«name»\t«class»\t«number»\t«number»\t«line»",
                "1\tRAF1\tGP\tbind\tMEK1\tGP\t0\t9000001\tRAF1 binds to MEK1.",
            ],
            "class": ["GP", "Chemical", "null", "namedentity", ""],
            "line": ["RAF1 binds to MEK1.", "α does not", "", "RAF1 RAF1 RAF1"],
        },
    ),
    "table": (
        "a.csv",
        {
            **SHARED,
            "file": [
                "id,text,entity1,entity2,label\n«rows»",
                "text,e1_start,e1_end,e2_start,e2_end,label\n«offsets»",
                "text;label\n«marked»",
            ],
            "rows": [
                "«number»,«text»,«name»,«name»,«label»\n«rows»",
                '1,"«text»","«name»",MEK1,«label»\n',
                "1,RAF1 binds MEK1.,RAF1,MEK1,1\n«rows»",
            ],
            "offsets": ["«text»,«number»,«number»,«number»,«number»,«label»\n«offsets»", "«text»,0,4,14,18,1\n"],
            "marked": [
                "[E1]RAF1[/E1] binds [E2]MEK1[/E2];«label»\n«marked»",
                "«mark»«name»«mark» x «mark»«name»«mark»;«label»\n",
            ],
            "mark": ["[E1]", "[/E1]", "[E2]", "[/E2]", "<e1>", "</e1>"],
            "label": ["1", "0", "yes", "no", "", "2", "binds", "TRUE"],
        },
    ),
    "pubmed45": (
        "a.json",
        {
            **SHARED,
            "text": ["RAF1 binds to MEK1.", "α does not", ""],
            "file": ["[«entries»]"],
            "entries": ["«entry»", "«entry»,«entries»"],
            "entry": [
                '{"path":"x/a_pmid_1003_7796.«number»/y","sentence":"«text»","interaction_tuple":[«tuple»],"label":«label»}'
            ],
            "tuple": ['"«type»","«name»","«name»"', '"«type»",null,"«name»"', '"«type»","RAF1","MEK1","«name»"', '"bind"', ""],
            "label": ["0", "1", "2", "3", "null", '"1"', "true"],
        },
    ),
}

_RULE = re.compile(r"«([a-z0-9]+)»")


def sentences_of(grammar: Grammar, count: int, seed: int) -> Iterator[bytes]:
    """``count`` files of a grammar, the same ones for the same ``seed``."""
    chance = random.Random(seed)
    for _ in range(count):
        yield _expanded("«file»", grammar, chance, 0).encode("utf-8", "surrogatepass")


def _expanded(production: str, grammar: Grammar, chance: random.Random, depth: int) -> str:
    def expand(found: re.Match[str]) -> str:
        rule = grammar[found[1]]
        chosen = (
            chance.choice(rule) if depth < DEEPEST else min(rule, key=lambda one: (found[0] in one, one.count("«"), len(one)))
        )
        return _expanded(chosen, grammar, chance, depth + 1)

    return _RULE.sub(expand, production)
