"""Two names of one thing: the rules one by one, and what stays a pair."""

from dataclasses import replace

import pytest

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.same_thing import Reason, SameThing
from relhash.corpus.document import CandidatePair, Document, Mention, Sentence


def document(text, *names, ids=()):
    mentions, place = [], 0
    for number, name in enumerate(names):
        place = text.index(name, place)
        own = (ids[number],) if ids else ()
        mentions.append(Mention(f"T{number}", "protein", ((place, place + len(name)),), name, own))
        place += len(name)
    return Document("d", text, (Sentence("s", 0, len(text)),), tuple(mentions))


def reason(text, *names, ids=()):
    given = document(text, *names, ids=ids)
    return SameThing(given)(*given.mentions)


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("tumor necrosis factor (TNF) rises", ("tumor necrosis factor", "TNF"), Reason.ABBREVIATION),
        ("TNF (tumor necrosis factor) rises", ("TNF", "tumor necrosis factor"), Reason.ABBREVIATION),
        ("Fas (CD95) is cleaved", ("Fas", "CD95"), Reason.PARENTHESES),
        ("the transcription factor NF-kappaB", ("transcription factor", "NF-kappaB"), Reason.NEIGHBOURS),
        ("p65 RelA binds", ("p65", "RelA"), Reason.NEIGHBOURS),
        ("Fas, also known as CD95,", ("Fas", "CD95"), Reason.CALLED),
        ("IL-2 rises and IL-2 falls", ("IL-2", "IL-2"), Reason.SAME),
        ("NF-κB rises and NF-kappa B falls", ("NF-κB", "NF-kappa B"), Reason.SAME),
    ],
)
def test_names_of_one_thing(text, names, expected):
    assert reason(text, *names) is expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("RAF1 binds MEK1", ("RAF1", "MEK1")),
        ("IL-2 binds the IL-2 receptor", ("IL-2", "IL-2 receptor")),
        ("the Fas-FADD complex", ("Fas", "FADD")),
        ("c-Fos/c-Jun", ("c-Fos", "c-Jun")),
        ("c-Jun/c-Jun dimers", ("c-Jun", "c-Jun")),
        ("RelA forms homodimers with RelA", ("RelA", "RelA")),
        ("RelA binds itself, RelA", ("RelA", "RelA")),
        ("RAF1 (which binds MEK1)", ("RAF1", "MEK1")),
        ("IL-2 and IL-4", ("IL-2", "IL-4")),
    ],
)
def test_what_stays_a_pair(text, names):
    assert reason(text, *names) is None


def test_a_common_id_is_enough():
    assert reason("RelA rises and p65 falls", "RelA", "p65", ids=("HGNC:9955", "HGNC:9955")) is Reason.SAME
    assert reason("RelA rises and p50 falls", "RelA", "p50", ids=("HGNC:9955", "HGNC:7794")) is None


def test_a_later_name_of_a_list_is_said_there_if_its_id_is_the_same():
    names, same = ("TPL-2", "MAP3K8"), ("HGNC:6860", "HGNC:6860")
    assert reason("TPL-2 (COT, MAP3K8) acts", *names, ids=same) is Reason.PARENTHESES
    assert reason("TPL-2 (COT, or MAP3K8) acts", *names, ids=same) is Reason.PARENTHESES
    assert reason("TPL-2 (COT) binds RAF1, and MAP3K8 acts", *names, ids=same) is Reason.SAME  # another statement
    assert reason("TPL-2 (COT, MAP3K8) acts", *names) is None
    fas = "Fas antigen, also termed APO-1 or CD95, mediates apoptosis upon oligomerization"
    assert reason(fas, "Fas antigen", "CD95", ids=("HGNC:11920", "HGNC:11920")) is Reason.PARENTHESES


def test_things_of_different_types_are_two():
    given = document("aspirin asthma", "aspirin", "asthma")
    drug, disease = replace(given.mentions[0], type="chemical"), replace(given.mentions[1], type="disease")
    assert SameThing(given)(drug, disease) is None
    assert SameThing(given)(drug, replace(disease, type="Drug")) is Reason.NEIGHBOURS  # one type by another name


@pytest.mark.parametrize("sentences", [True, False])
def test_only_unlisted_pairs_are_left_out(sentences):
    given = document("tumor necrosis factor (TNF) binds TNFR1", "tumor necrosis factor", "TNF", "TNFR1")
    given = given if sentences else replace(given, sentences=())
    policy = PairPolicy(unsplit="document")
    assert [c.key for c in candidates([given], policy)] == ["d|T0|T2", "d|T1|T2"]
    assert len(list(candidates([given], replace(policy, synonym_pairs=True)))) == 3
    listed = replace(given, candidates=(CandidatePair("p", "T0", "T1"),))
    assert [c.key for c in candidates([listed], policy)] == ["d|T0|T1"]


def test_a_model_file_from_before_is_read():
    given = PairPolicy().to_dict()
    del given["synonym_pairs"]
    assert PairPolicy.from_dict(given) == PairPolicy()
    assert PairPolicy.from_dict(PairPolicy(synonym_pairs=True).to_dict()).synonym_pairs


def test_a_complex_and_its_part_are_no_pair():
    text = "NF-kappaB (a heterodimer with p65) activates IL2."
    places = {"NF-kappaB": "FPLX:NFkappaB", "p65": "HGNC:9955", "IL2": "HGNC:6001"}
    names = [
        Mention(name, "protein", ((text.index(name), text.index(name) + len(name)),), name, (own,))
        for name, own in places.items()
    ]
    same = SameThing(Document("d", text, mentions=tuple(names)))
    assert same(names[0], names[1]) is Reason.PART
    assert same(names[0], names[2]) is None
    assert same(names[1], names[2]) is None
