"""The model card: what a model was made from, how, and how well it did on its own training side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from relhash.candidates.candidate import Candidate
from relhash.model.judging import accepted_text


def card_text(card: Mapping[str, Any]) -> str:
    """The card for people, as Markdown."""
    training, target, side = card["training"], card["adapted_to"], card["training_side"]
    lines = [
        f"# Relation model `{card['preset']}`",
        "",
        f"{card['summary'][:1].upper()}{card['summary'][1:]}. Made {card['made']} with RelHash {card['relhash']}.",
        "",
        *_raw_text(card.get("raw_text"), "second_reader" in card),
        f"- learned from {training['documents']} documents, {training['labelled']} labelled candidates "
        f"({training['positive']} relations) of {training['candidates']}",
        f"- adapted to {target['documents']} documents, {target['candidates']} candidates, without labels"
        if target
        else "- not adapted to other text",
        f"- relation types: {', '.join(card['relation_types']) or '–'}; entity types: {', '.join(card['entity_types'])}",
        f"- parses: {card['parses']}",
        f"- classifier: {card['classifier']}; calibration: {card['calibration']}",
        f"- threshold: {card['threshold']['strategy']}{_why(card)}",
    ]
    if prior := card.get("prior"):
        lines.append(f"- prior: {_prior(prior)}")
    if second := card.get("second_reader"):
        lines.append(f"- second reader: encoder {second['encoder']}, whose vote counts {second['weight']:g} times the model's")
    if accepts := _accepts(card):
        begin = (card.get("rows") or {}).get("lowest")
        is_low = begin is not None and round(begin, 2) < 0.5
        by_share = card["threshold"]["fraction"] is not None
        why = " (as many as the threshold's rule wants, however probable they are)" if is_low and by_share else ""
        lines.append(f"- accepts {accepts}{why}")
    if later := card.get("adapted_later"):
        moved = " and ".join(later["moved"]) or "nothing"
        lines.append(f"- moved to that text on {later['made']}: {moved}; codes and scores are those of the fit")
    if taught := card.get("taught"):
        more = f"{taught['evidence']:.0%} sure that they correct more than its probabilities"
        lines.append(f"- {_taught(taught)}; {more}")
    if side:
        lines.append(
            f"- training side: AUC {side['auc']:.3f}, average precision {side['average_precision']:.3f} ({side['how']})"
        )
    if known := card.get("warranty"):
        shares = [known[name] for name in ("precision", "recall")]
        right, found = (f"{one['value']:.0%} ({one['low']:.0%}–{one['high']:.0%})" for one in shares)
        lines.append(f"- by {known['drawn']} answers drawn at random: {right} of accepted rows are right, {found} are found")
    if gain := card.get("gain"):
        lines += ["", "## What the labels changed", "", *(f"- {line}" for line in gain)]
    return "\n".join(lines) + "\n"


def card_summary(card: Mapping[str, Any], path: str) -> str:
    """Five lines after a fit: from what, how sure, better than before or not, how much is accepted, what to do next."""
    training, side, prior = card["training"], card["training_side"], card.get("prior") or {}
    if training["labelled"]:
        learned = f"{training['labelled']:,} labelled pairs, {training['positive']:,} of them related"
        first = f"Learned from {learned}, in {training['documents']:,} documents."
    else:
        first = f"No labels: what the model {prior.get('name')} knows, moved to your text."
    if taught := card.get("taught"):
        first += f" Then {_taught(taught)}."
    sure = "There are no held-out labels that could tell how good it is."
    if side:
        ranked = f"in {side['auc']:.0%} of cases a related pair ranks before an unrelated one"
        sure = f"On labels that were held out ({side['how']}): {ranked}; average precision {side['average_precision']:.2f}."
    beside = f"Beside your labels: {_prior(prior)}." if prior else "No other model was asked."
    gains = [line for line in card.get("gain", ()) if not line.startswith(("gained: ", "lost: "))]
    accepts = _accepts(card)
    accepts = f"It accepts {accepts}." if accepts else "Its threshold is set when it reads text."
    then = f"Next: relhash predict {path} TEXT -o relations.html; all settings: relhash info {path}"
    said = (first, sure, *(gains or [beside]), accepts, then)
    return "\n".join(f"{line[:1].upper()}{line[1:]}" for line in said)


def _raw_text(measured: Mapping[str, Any] | None, is_read_twice: bool) -> list[str]:
    """What to expect of raw text: it comes first, since most people have that."""
    if not measured:
        return []
    on, lines = measured["calibrated_on"], []
    for row in measured.get("figures_of_both" if is_read_twice else "figures", ()):
        accepted, confident = row["accepted"], row["confident"]
        lines.append(
            f"- raw text, {row['corpus']}: finds {_share(row['recall'])} of the relations; of {accepted['rows']} rows the "
            f"annotation can judge {_share(accepted['judgeable'])}, {_share(accepted['precision'])} of these are right "
            f"(probability ≥ .9: {confident['rows']} rows, {_share(confident['precision'])})"
        )
    sources = {"read": "read by language models", "bionlp": "of BioNLP", "extri": "of ExTRI", "bel": "of BEL"}
    parts = ", ".join(f"{on[key]} {words}" for key, words in sources.items() if key in on)
    lines.append(f"- probabilities of raw text: calibrated on {on['rows']} judged rows" + (f" ({parts})" if parts else ""))
    return lines


def _taught(taught: Mapping[str, Any]) -> str:
    answers = ", ".join(f"{count} {kind}" for kind, count in taught["answers"].items())
    return f"taught on {taught['made']} by answers: {answers}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _accepts(card: Mapping[str, Any]) -> str:
    """What it accepts of the text that it was adapted to, as ``predict`` counts it; else its share of held-out pairs."""
    if card.get("rows"):
        return f"{accepted_text(**card['rows'])} of the text it was adapted to"
    return "" if card.get("accepted") is None else f"{card['accepted']:.0%} of all pairs of held-out training text"


def _prior(prior: Mapping[str, Any]) -> str:
    if prior["name"] is None:
        return f"none ({prior['why']})"
    if not prior.get("evidence"):
        return f"{prior['name']}, which no label has corrected"
    line = f"{prior['name']}; log-odds {prior['slope']:.2f} × its own {prior['offset']:+.2f}"
    return f"{line}, and {prior['evidence']:.0%} sure that the labels have more to correct"


def _why(card: Mapping[str, Any]) -> str:
    """What stands behind the threshold, as far as that needs saying."""
    if card["training"].get("all_pairs", True):
        return ""
    said = "the labels are not all pairs of their sentences and do not tell how common relations are"
    if card["threshold"]["strategy"].startswith("share:"):
        return f" of all pairs ({said})"
    return f" ({said})"


def counts_of(candidates: Sequence[Candidate]) -> dict[str, int]:
    """How much text candidates stand for."""
    return {"documents": len({candidate.document.id for candidate in candidates}), "candidates": len(candidates)}
