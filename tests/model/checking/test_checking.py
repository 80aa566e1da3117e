"""Claims against their sentences: what a machine may get wrong, one row of each kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from relhash.errors import CorpusError, ModelFileError, ParameterError
from relhash.model.checking import Checker, Claim
from relhash.model.checking.features import WORD, words
from relhash.model.checking.judge import Judge
from relhash.model.checking.rows import read_claims

LOSS = "Loss of Smad4 enhances EGFR expression."


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker.shipped()


@pytest.mark.parametrize(
    ("sentence", "subject", "object", "kind"),
    [
        (LOSS, "SMAD4", "EGFR", "DecreaseAmount"),
        ("MKP-2 effectively inactivated ERK2.", "DUSP4", "MAPK1", "inhibits"),
        ("RAF1 phosphorylates MEK1 in resting cells.", "RAF1", "MAP2K1", "phosphorylates"),
        ("GRB2 binds to SOS1.", "SOS1", "GRB2", "Complex"),
    ],
)
def test_what_a_sentence_says_is_supported(checker: Checker, sentence: str, subject: str, object: str, kind: str) -> None:
    (said,) = checker.check([Claim(sentence, subject, object, kind)])
    assert (said.verdict, said.reason) == ("supported", "")


@pytest.mark.parametrize(
    ("sentence", "subject", "object", "kind", "reason", "suggested"),
    [
        (LOSS, "SMAD4", "EGFR", "IncreaseAmount", "sign", "DecreaseAmount(SMAD4, EGFR)"),
        ("RAF1 phosphorylates MEK1.", "MAP2K1", "RAF1", "phosphorylates", "direction", "Phosphorylation(RAF1, MAP2K1)"),
        ("No interaction between RAF1 and MEK1 was observed.", "RAF1", "MAP2K1", "binds", "denied", ""),
        ("We asked whether RAF1 activates ERK2.", "RAF1", "MAPK1", "activates", "hedged", ""),
        ("STAT3 induces BCL2 transcription.", "STAT3", "BCL2", "Inhibition", "sign", "IncreaseAmount(STAT3, BCL2)"),
        (
            "STAT3 induces BCL2 transcription.",
            "STAT3",
            "BCL2",
            "Activation",
            "amount or activity",
            "IncreaseAmount(STAT3, BCL2)",
        ),
        ("RAF1 phosphorylates MEK1.", "RAF1", "MAP2K1", "Ubiquitination", "type", "Phosphorylation(RAF1, MAP2K1)"),
        ("RAF1 phosphorylates MEK1.", "RAF1", "TP53", "Phosphorylation", "participant not found: TP53", ""),
    ],
)
def test_an_error_is_told_with_its_reason(
    checker: Checker, sentence: str, subject: str, object: str, kind: str, reason: str, suggested: str
) -> None:
    (said,) = checker.check([Claim(sentence, subject, object, kind)])
    assert said.verdict != "supported"
    assert (said.reason, said.suggested) == (reason, suggested)


def test_what_an_experiment_did_stands_beside_what_it_means(checker: Checker) -> None:
    (said,) = checker.check([Claim(LOSS, "SMAD4", "EGFR", "DecreaseAmount")])
    assert (said.sign, said.perturbation, said.trigger) == ("negative", "Loss of", "enhances")
    assert (said.subject_span, said.object_span) == ((8, 13), (23, 27))


def test_a_verdict_does_not_depend_on_other_rows(checker: Checker) -> None:
    rows = [
        Claim(LOSS, "SMAD4", "EGFR", "DecreaseAmount"),
        Claim(LOSS, "EGFR", "SMAD4", "Complex"),
        Claim("x", "A", "B", "binds"),
    ]
    together = checker.check(rows)
    assert [checker.check([row])[0] for row in rows] == together


def test_a_type_that_no_row_names_is_said_so(checker: Checker) -> None:
    (said,) = checker.check([Claim("RAF1 binds MEK1.", "RAF1", "MAP2K1", "frobnicates")])
    assert said.verdict == "look"
    assert said.reason.startswith("type not judged: frobnicates")


def test_rows_come_from_json_lines_and_tables(tmp_path: Path) -> None:
    row = {"sentence": LOSS, "subject": "SMAD4", "object": "EGFR", "type": "DecreaseAmount", "pmid": "1"}
    lines, table = tmp_path / "rows.jsonl", tmp_path / "rows.tsv"
    lines.write_text(json.dumps(row) + "\n")
    table.write_text("gene_a\tTarget\trelation\tEvidence text\nSMAD4\tEGFR\tDecreaseAmount\t" + LOSS + "\n")
    (one,), (other,) = (
        [group[0] for group in read_claims(path, mapped).groups]
        for path, mapped in ((lines, {}), (table, {"subject": "gene_a"}))
    )
    assert one == other
    assert one.row == row


def test_a_table_without_a_subject_says_how_to_name_it(tmp_path: Path) -> None:
    table = tmp_path / "rows.tsv"
    table.write_text("left\tobject\ttype\tsentence\nA\tB\tbinds\tA binds B.\n")
    with pytest.raises(CorpusError, match=r"no column holds the subject; say which column it is: --map subject=COLUMN"):
        read_claims(table)


def test_indra_statements_become_a_claim_per_evidence(tmp_path: Path) -> None:
    agents = {name: {"name": name, "db_refs": {"HGNC": number}} for name, number in (("SMAD4", "6770"), ("EGFR", "3236"))}
    statement = {
        "type": "DecreaseAmount", "subj": agents["SMAD4"], "obj": agents["EGFR"],
        "evidence": [{"source_api": "reach", "text": LOSS, "pmid": "1"}],
    }  # fmt: skip
    path = tmp_path / "statements.json"
    path.write_text(json.dumps([statement]))
    rows = read_claims(path)
    (claim,) = (group[0] for group in rows.groups)
    assert (claim.subject, claim.object, claim.subject_ids) == ("SMAD4", "EGFR", ("HGNC:6770",))
    assert rows.statements is not None


def test_a_judge_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.judge"
    path.write_text("{}")
    with pytest.raises(ModelFileError, match="not a judge"):
        Judge.load(path)


def test_a_judge_learns_from_verdicts_and_comes_back_from_its_file(checker: Checker, tmp_path: Path) -> None:
    numbers = [{"related": 0.1 * (n % 7), "typed": float(n % 2), "any": 0.0} for n in range(120)]
    right, papers = [n % 2 == 0 for n in range(120)], [str(n // 6) for n in range(120)]  # the opposite of what the sum says
    own = checker.judge.fitted(numbers, right, papers)
    own.save(tmp_path / "my.judge")
    again = Judge.load(tmp_path / "my.judge")
    said = again.log_odds(numbers)
    assert (said == own.log_odds(numbers)).all()
    assert min(said[0::2]) > max(said[1::2])


def test_a_judge_learns_words_by_the_role_of_their_place(checker: Checker, tmp_path: Path) -> None:
    (seen,) = checker.sightings([Claim("RAF1 phosphorylates MEK1.", "RAF1", "MAP2K1", "Phosphorylation")])
    assert {"=between phosphorylate", "=modification: first subject", "=+1: behind subject phosphorylate"} <= set(
        checker.numbers_of(seen)
    )
    numbers = [{"related": 0.0, f"=between {'bind' if n % 2 else 'watch'}": 1.0} for n in range(120)]
    own = checker.judge.fitted(numbers, [n % 2 == 1 for n in range(120)], [str(n // 6) for n in range(120)])
    own.save(tmp_path / "my.judge")
    said = Judge.load(tmp_path / "my.judge").log_odds(numbers)
    assert (said == own.log_odds(numbers)).all()
    assert min(said[1::2]) > max(said[0::2])


def test_a_share_that_no_row_reached_is_refused(checker: Checker) -> None:
    assert checker.judge.accepting(0.9).accept > checker.judge.accept
    with pytest.raises(ParameterError, match="reached at most"):
        checker.judge.accepting(0.999)


def test_relations_of_documents_are_judged_by_their_best_sentence(checker: Checker, tmp_path: Path) -> None:
    text = "RAF1 and MEK1 were bought. RAF1 binds to MEK1."
    lines = [f"1|t|{text}", "1|a|", *(f"1\t{text.index(n, at)}\t{text.index(n, at) + 4}\t{n}\tGene\t{i}" for n, i, at in
             (("RAF1", 5894, 0), ("MEK1", 5604, 0), ("RAF1", 5894, 20), ("MEK1", 5604, 20)))]  # fmt: skip
    path = tmp_path / "x.PubTator"
    path.write_text("\n".join([*lines, "1\tBind\t5894\t5604"]) + "\n\n")
    (said,) = checker.check_groups(read_claims(path).groups)
    assert (said.verdict, said.claim.sentence) == ("supported", "RAF1 binds to MEK1.")


def test_what_binds_a_promoter_is_in_no_complex_with_the_protein(checker: Checker) -> None:
    ends = ("the NRXN3 promoter", "NRXN3")
    of_gene, of_protein = checker.check([Claim(f"FoxQ1 directly binds to {end}.", "FOXQ1", "NRXN3", "Complex") for end in ends])
    assert (of_gene.verdict, of_protein.verdict) == ("look", "supported")


@pytest.mark.parametrize(("kind", "expected"), [("IncreaseAmount", 1.0), ("Activation", -1.0)])
def test_the_words_between_tell_amount_from_activity(checker: Checker, kind: str, expected: float) -> None:
    (seen,) = checker.sightings([Claim("STAT3 induces BCL2 transcription.", "STAT3", "BCL2", kind)])
    assert checker.numbers_of(seen)["path aspect"] == expected


@pytest.mark.parametrize(
    ("sentence", "subject", "object", "suggested"),
    [
        ("TNF induces IL-6 in macrophages.", "TNF", "IL6", "IncreaseAmount(TNF, IL6)"),
        ("RAF1 activates MEK1.", "RAF1", "MAP2K1", "Activation(RAF1, MAP2K1)"),
    ],
)
def test_where_no_cue_says_so_words_around_tell_amount_from_activity(
    checker: Checker, sentence: str, subject: str, object: str, suggested: str
) -> None:
    kinds = ("Activation", "IncreaseAmount")
    said = dict(zip(kinds, checker.check([Claim(sentence, subject, object, kind) for kind in kinds]), strict=True))
    right, wrong = sorted(said.values(), key=lambda one: one.reason)
    assert (right.reason, wrong.reason, wrong.suggested) == ("", "amount or activity", suggested)
    assert right.probability > wrong.probability


@pytest.mark.parametrize(
    ("sentence", "subject", "object", "suggested"),
    [
        ("IL-6 induces phosphorylation of STAT3.", "IL6", "STAT3", "Phosphorylation(IL6, STAT3)"),
        ("IL-6 suppresses phosphorylation of STAT3.", "IL6", "STAT3", "Dephosphorylation(IL6, STAT3)"),
        ("IL-6 induces dephosphorylation of STAT3.", "IL6", "STAT3", "Dephosphorylation(IL6, STAT3)"),
    ],
)
def test_what_changes_a_modification_states_that_modification(
    checker: Checker, sentence: str, subject: str, object: str, suggested: str
) -> None:
    (said,) = checker.check([Claim(sentence, object, subject, "Ubiquitination")])
    assert (said.reason, said.suggested) == ("direction", suggested)


def test_the_words_around_a_participant_are_two_on_either_side_and_four_around_both(checker: Checker) -> None:
    claim = Claim("red dry old big hot RAF1 binds to MEK1 wet low thin dark cold .", "RAF1", "MAP2K1", "binds")
    (sighting,) = checker.examiner.examine([claim])
    found = words(sighting)
    for place, expected in (
        ("before", "dry old big hot"), ("behind", "wet low thin dark"), ("before subject", "big hot"),
        ("behind subject", "bind to"), ("before object", "bind to"), ("behind object", "wet low"),
    ):  # fmt: skip
        said = {name.removeprefix(f"{WORD}{place} ") for name in found if name.startswith(f"{WORD}{place} ")}
        assert {one for one in said if one.partition(" ")[0] not in ("subject", "object")} == set(expected.split()), place


@pytest.mark.parametrize("part", ["sentence", "subject", "type"])
def test_half_a_character_in_a_row_is_refused_with_its_place(checker: Checker, tmp_path: Path, part: str) -> None:
    """The server answered with an error of its own (500)."""
    row = {"sentence": "RAF1 binds to MEK1.", "subject": "RAF1", "object": "MEK1", "type": "binds"}
    row[part] = f"\ud800{row[part]}"
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        checker.check([row])
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(CorpusError, match=r"a\.jsonl:1: half of a surrogate pair"):
        list(read_claims(tmp_path / "a.jsonl").groups)
