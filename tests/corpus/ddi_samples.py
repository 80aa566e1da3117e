"""Sentences of our own in the format of the DDI corpus (SemEval 2013): one file per document, inclusive ends, four types."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import quoteattr

_DRUGS = ("aspirin", "warfarin", "digoxin", "quinidine", "heparin", "lithium", "verapamil", "phenytoin")
_FRAMES = (
    ("mechanism", "{0} increases the plasma concentration of {1}."),
    ("effect", "{0} may enhance the anticoagulant effect of {1} in patients."),
    ("advise", "The dose of {0} should be reduced when {1} is given."),
    ("int", "{0} interacts with {1}."),
    ("", "Patients received {0} or {1} for six weeks."),
    ("", "Neither the absorption of {0} nor that of {1} was measured."),
)


def write_ddi(folder: Path, *, n_documents: int = 16, first: int = 0) -> Path:
    """A folder of documents, each with all frames once; the last sentence has a drug in two pieces."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + n_documents):
        name = f"DDI-Sample.d{number}"
        sentences = []
        for index, (kind, frame) in enumerate(_FRAMES):
            drugs = _DRUGS[(number + index) % 8], _DRUGS[(number + 3 * index + 5 * (number // 8) + 1) % 8]
            if drugs[0] == drugs[1]:
                drugs = drugs[0], _DRUGS[(_DRUGS.index(drugs[1]) + 1) % 8]
            sentences.append(_sentence(f"{name}.s{index}", frame.format(*drugs), list(drugs), kind))
        sentences.append(
            f'<sentence id="{name}.s9" text="Oral and topical steroids.">'
            f'<entity id="{name}.s9.e0" charOffset="0-3;17-24" type="group" text="Oral steroids"/>'
            f'<entity id="{name}.s9.e1" charOffset="9-24" type="group" text="topical steroids"/>'
            f'<pair id="{name}.s9.p0" e1="{name}.s9.e0" e2="{name}.s9.e1" ddi="false"/></sentence>'
        )
        xml = f'<?xml version="1.0" encoding="UTF-8"?>\n<document id="{name}">\n' + "\n".join(sentences) + "\n</document>\n"
        (folder / f"{number}_ddi.xml").write_text(xml)
    return folder


def _sentence(identifier: str, text: str, drugs: list[str], kind: str) -> str:
    entities = []
    for number, drug in enumerate(drugs):
        start = text.index(drug)
        offsets = f"{start}-{start + len(drug) - 1}"
        entities.append(f'<entity id="{identifier}.e{number}" charOffset="{offsets}" type="drug" text="{drug}"/>')
    answer = f'ddi="true" type="{kind}"' if kind else 'ddi="false"'
    pair = f'<pair id="{identifier}.p0" e1="{identifier}.e0" e2="{identifier}.e1" {answer}/>'
    return f'<sentence id="{identifier}" text={quoteattr(text)}>{"".join(entities)}{pair}</sentence>'
