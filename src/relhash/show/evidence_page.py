"""The explanation of a model on a text as one HTML file: no script, nothing loaded, every character escaped and visible.

Pictures of a model as inline SVG: calibration, the learner's trace, redundancy of bits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.candidates.evidence import Evidence
from relhash.files import replacing
from relhash.model.prediction import Prediction
from relhash.model.tables.page import marked, marked_sentence, page_head, shown
from relhash.show.drawings import draw_curves, draw_path
from relhash.show.explanation import Explained, Explanation, Neighbour
from relhash.show.interaction_drawing import LONGEST as WIDEST
from relhash.show.interaction_drawing import draw_interactions, interaction_of
from relhash.show.model_view import BitView, Calibrated, ModelView, ReadableFunction
from relhash.show.reasons import Reasons
from relhash.visible import visible

WIDTH, HEIGHT, EDGE = 640, 300, 46
CELL = 11
FAINT = 0.05
"""Correlations below are left white."""


def draw_calibration(bins: Sequence[Calibrated]) -> str:
    """The share of relations against the stated probability, larger dots for more candidates; the diagonal is perfect."""
    side = HEIGHT - 2 * EDGE
    largest = max((one.n for one in bins), default=1)

    def place(x: float, y: float) -> tuple[float, float]:
        return EDGE + side * x, HEIGHT - EDGE - side * y

    ticks = "".join(
        f'<text x="{place(t, 0)[0]:.0f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle">{t:g}</text>'
        f'<text x="{EDGE - 8}" y="{place(0, t)[1] + 4:.0f}" text-anchor="end">{t:g}</text>'
        for t in (0, 0.5, 1)
    )
    (x0, y0), (x1, y1) = place(0, 0), place(1, 1)
    frame = f'<path class="grid" fill="none" d="M{x0},{y0}H{x1}V{y1}H{x0}Z"/><path class="guess" d="M{x0},{y0}L{x1},{y1}"/>'
    dots = ""
    for one in bins:
        x, y = place(one.probability, one.right)
        at = f'cx="{x:.1f}" cy="{y:.1f}" r="{3 + 6 * (one.n / largest) ** 0.5:.1f}"'
        dots += f'<circle class="point" style="fill:var(--series-1)" {at}><title>{one.n} candidates</title></circle>'
    width = side + 2 * EDGE
    return f'<svg class="small" viewBox="0 0 {width} {HEIGHT}" role="img" aria-label="Calibration">{frame}{ticks}{dots}</svg>'


def draw_trace(trace: Mapping[str, Any]) -> str:
    """The objective of each trial; functions that did not stay are hollow."""
    values = np.array(trace["objective"], np.float64)
    gone = {*trace["rejected"], *trace["deleted"]}
    low, high = float(values.min()), float(values.max())
    span = (high - low) or 1.0
    step = (WIDTH - 2 * EDGE) / max(values.size - 1, 1)
    dots = "".join(
        f'<circle class="{"gone" if trial in gone else "kept"}" cx="{EDGE + step * trial:.1f}" '
        f'cy="{HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / span:.1f}" r="3"/>'
        for trial, value in enumerate(values.tolist())
    )
    labels = (
        f'<text x="{EDGE - 6}" y="{HEIGHT - EDGE + 4}" text-anchor="end">{low:.2f}</text>'
        f'<text x="{EDGE - 6}" y="{EDGE + 4}" text-anchor="end">{high:.2f}</text>'
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">trial</text>'
    )
    line = f'<path class="grid" d="M{EDGE},{HEIGHT - EDGE}H{WIDTH - EDGE}"/>'
    start = f'<svg class="trace" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Learning trace">'
    return f"{start}{line}{dots}{labels}</svg>"


def draw_redundancy(matrix: NDArray[np.float64]) -> str:
    """One square per pair of bits, the darker the more they say the same."""
    n = len(matrix)
    size = f'width="{CELL}" height="{CELL}"'
    cells = "".join(
        f'<rect x="{CELL * column}" y="{CELL * row}" {size} fill-opacity="{min(matrix[row, column], 1):.2f}"/>'
        for row in range(n)
        for column in range(row + 1)
        if matrix[row, column] >= FAINT
    )
    return f'<svg class="heat" viewBox="0 0 {CELL * n} {CELL * n}" role="img" aria-label="Redundancy of bits">{cells}</svg>'


REASONS = 10
LONGEST = 160
"""Characters of a reference that are shown."""
BITS_SHOWN = 40
_SEEN = {
    "often": "sentences of this kind are frequent in the training text",
    "rarely": "the training text has few sentences of this kind",
    "never": "the training text has no sentence of this kind: read it twice",
}


def write_explanation(path: str | os.PathLike[str], explanation: Explanation) -> None:
    """Write the page to ``path``; it appears complete or not at all."""
    with replacing(path) as handle:
        handle.write(render_explanation(explanation))


def render_explanation(explanation: Explanation) -> str:
    """The page as one HTML document."""
    style = "".join(files("relhash.show").joinpath(f"{name}.css").read_text("utf-8") for name in ("report", "evidence"))
    cards = "\n".join(_card(number, row, explanation) for number, row in enumerate(explanation.rows, 1))
    return (
        f"{page_head(explanation.title, style)}<h1>{shown(explanation.title)}</h1>\n"
        f"{_lead(explanation)}\n{_facts(explanation)}\n"
        f'<nav><a href="#rows">Rows</a> · <a href="#model">The model</a> · <a href="#how">How to read this</a></nav>\n'
        f'<h2 id="rows">Rows</h2>\n{cards or "<p>There is nothing to explain: the text has no candidates.</p>"}\n'
        f'<h2 id="model">The model</h2>\n{_model(explanation.view)}\n{_HOW}\n'
        f"<footer>relhash {shown(relhash.__version__)}</footer>\n</main>\n</body>\n</html>\n"
    )


def _lead(explanation: Explanation) -> str:
    n = len(explanation.rows)
    return (
        f'<p class="lead">{explanation.n_accepted:,} of {explanation.n_candidates:,} candidates are accepted; '
        f"the {n:,} most probable {'is' if n == 1 else 'are'} explained below.</p>"
    )


def _facts(explanation: Explanation) -> str:
    card = explanation.model.card
    training, threshold = card.get("training", {}), explanation.model.decision.threshold
    begin, score = card.get("threshold_probability"), f"score {threshold.score:.3f}"
    facts = [
        ("Model", str(card.get("preset", "")), str(card.get("summary", ""))),
        ("Learned from", f"{training.get('labelled', 0):,} labelled candidates", f"{training.get('positive', 0):,} relations"),
        ("Decides by", *_decided_by(str(card.get("classifier", "")))),
        ("Accepts", f"from {score if begin is None else f'probability {begin:.2f}'} on", f"{score}, rule {threshold.strategy}"),
    ]
    items = (f"<div><dt>{shown(k)}</dt><dd>{shown(v)}<small>{shown(more)}</small></dd></div>" for k, v, more in facts)
    return f'<dl class="facts">{"".join(items)}</dl>'


def _decided_by(classifier: str) -> tuple[str, str]:
    """The classifier in a word or two, and its members without their settings.

    >>> _decided_by("prior with weight 0.90, and committee of ngrams (linear C=0.1), codes (forest n_trees=75)")
    ('prior with weight 0.90, and committee', 'ngrams (linear), codes (forest)')
    >>> _decided_by("forest n_trees=75 balanced=True")
    ('forest', '')
    """
    plain = re.sub(r" \w+=[^\s,)]+", "", classifier)
    name, _, members = plain.partition(" of ")
    return name, members


def _card(number: int, row: Explained, explanation: Explanation) -> str:
    prediction = row.prediction
    evidence = _visible(prediction.evidence)
    names = " – ".join(shown(name) for name in evidence.participants)
    verdict = "" if prediction.is_relation else '<span class="no">not accepted</span>'
    assertion = f'<span class="assertion {shown(prediction.assertion)}">{shown(prediction.assertion)}</span>'
    return (
        f'<article class="relation" id="row-{number}">\n<header><h3>{names}</h3><span>{shown(prediction.relation)}</span>'
        f"{assertion}<span>{shown(evidence.document)}</span>{verdict}"
        f'<span class="probability" title="probability of the row">{prediction.probability:.3f}</span></header>\n'
        + _interaction(prediction)
        + f'<p class="sentence">{marked_sentence(evidence)}</p>\n'
        + (f'<div class="drawing scroll">{draw_path(evidence.path)}</div>\n' if evidence.path else "")
        + f"<details{' open' if number == 1 else ''}><summary>Why</summary>\n{_reasons(row.reasons)}{_chain(row)}</details>\n"
        + _functions(row.functions, {reason.bit for reason in row.reasons.reasons})
        + _neighbours(row.neighbours, explanation.labelled)
        + (f'<p class="seen {row.seen}">Seen {row.seen} ({row.n_seen:,}): {_SEEN[row.seen]}.</p>\n' if row.seen else "")
        + "</article>"
    )


def _interaction(prediction: Prediction) -> str:
    """Who does what to whom; of a pair its path says all there is. A name as long as a page fits no picture."""
    if prediction.candidate.trigger is None or len((stated := interaction_of(prediction)).text) > WIDEST:
        return ""
    return f'<div class="drawing scroll">{draw_interactions(stated, styled=False)}</div>\n'


def _reasons(reasons: Reasons) -> str:
    lines = [("where it starts, knowing nothing of the candidate", "", reasons.base)]
    lines += [(reason.text, reason.part, reason.value) for reason in reasons.strongest(REASONS)]
    largest = max(max(abs(value) for _, _, value in lines), 1e-9)
    rows = "".join(
        f'<tr><td>{shown(text)}{f"<small>{shown(part)}</small>" if part else ""}</td><td class="bar">'
        f'<i class="{"plus" if value >= 0 else "minus"}" style="--w:{abs(value) / largest:.3f}"></i></td>'
        f"<td>{value:+.3f}</td></tr>"
        for text, part, value in lines
    )
    return (
        f'<table class="reasons">{rows}<tr class="total"><td>log-odds of the classifier</td><td></td>'
        f"<td>{reasons.log_odds:+.3f}</td></tr></table>"
    )


def _chain(row: Explained) -> str:
    prediction = row.prediction
    is_pair = prediction.candidate.trigger is None
    stated, right = ("the pair is related", "both names are") if is_pair else ("the interaction is valid", "its names are")
    names = f" × {row.names_probability:.3f} that {right} right" if row.names_probability < 0.9995 else ""
    return (
        f'<p class="chain">Score {prediction.score:.3f}, calibrated: {row.pair_probability:.3f} that {stated}'
        f"{names} = {prediction.probability:.3f}.</p>"
    )


def _functions(functions: Sequence[ReadableFunction], deciding: set[int | None]) -> str:
    if not functions:
        return ""
    blocks = []
    for one in functions:
        sides = "".join(
            (f'<div class="here"><b>side {side}, this one</b><ul>' if side == one.side else f"<div><b>side {side}</b><ul>")
            + "".join(f"<li><code>{_short(text)}</code> <small>{near:.2f}</small></li>" for text, near in one.sides[side])
            + "</ul></div>"
            for side in (0, 1)
        )
        blocks.append(f"<h4>Hash function {one.bit} <small>{shown(one.view)}</small></h4><div class='sides'>{sides}</div>")
    title = "Hash functions that decided" if functions[0].bit in deciding else "Hash functions nearest to it"
    return f"<details><summary>{title}</summary>{''.join(blocks)}</details>\n"


def _neighbours(neighbours: Sequence[Neighbour], origin: str) -> str:
    if not neighbours:
        return ""
    related = sum(one.is_related for one in neighbours)
    items = []
    for one in neighbours:
        label = '<span class="yes">related</span>' if one.is_related else '<span class="no">not related</span>'
        how_near = f"{one.distance} bits away" if one.similarity is None else f"similarity {one.similarity:.2f}"
        items.append(f"<li>{how_near}, {label}{f': {marked(one.sentence)}' if one.sentence else ''}</li>")
    return (
        f"<details><summary>Nearest labelled candidates: {related} of {len(neighbours)} related</summary>"
        f'<p class="origin">From {shown(origin)}.</p><ul class="neighbours">{"".join(items)}</ul></details>\n'
    )


def _model(view: ModelView) -> str:
    return "\n".join(filter(None, [_parts(view), _gold(view), _trace(view), _bits(view), _heat(view)]))


def _parts(view: ModelView) -> str:
    rows = "".join(
        f'<tr><td>{shown(part)}</td><td class="bar"><i class="plus" style="--w:{share:.3f}"></i></td><td>{share:.0%}</td></tr>'
        for part, share in view.parts.items()
    )
    said = "How much of all movement of these decisions is the doing of each part."
    return f'<h3>Which parts matter</h3><p>{said}</p><table class="reasons">{rows}</table>' if rows else ""


def _gold(view: ModelView) -> str:
    if view.gold is None:
        return ""
    measured = view.gold.measured
    curve = draw_curves([(view.gold.curve, (measured.recall, measured.precision), "var(--series-1)")], view.gold.share)
    return (
        f"<h3>Against the labels of this text</h3><p>Precision {measured.precision:.3f}, recall {measured.recall:.3f}, "
        f"F1 {measured.f1:.3f}, AUC {measured.auc:.3f} on {measured.n:,} labelled candidates. Denied relations that the model "
        f"leaves out count as missed if the corpus labels them.</p>"
        f"<figure>{curve}<figcaption>Precision against recall at every threshold; the dot is the model's own.</figcaption>"
        f"</figure><figure>{draw_calibration(view.gold.bins)}<figcaption>Calibration: the share that is related (up) among "
        "candidates of about one probability (right), ten groups of equal size. "
        "On the diagonal a probability means what it says.</figcaption>"
        "</figure>"
    )


def _trace(view: ModelView) -> str:
    if not view.trace:
        return ""
    trace = view.trace
    return (
        f"<h3>How the hash functions were learned</h3><figure>{draw_trace(trace)}<figcaption>The objective of each of "
        f"{len(trace['objective'])} trials; {len(trace['deleted'])} functions were deleted later and {len(trace['rejected'])} "
        "never joined the code (hollow).</figcaption></figure>"
    )


def _bits(view: ModelView) -> str:
    if not view.bits:
        return ""
    moved = view.bits[0].moved is not None
    head = (
        "<tr><th>bit</th><th>view</th><th>side 0</th><th>side 1</th><th>ones before</th><th>ones here</th>"
        f"{'<th>moves</th>' if moved else ''}</tr>"
    )
    rows = "".join(_bit(one, moved) for one in view.bits[:BITS_SHOWN])
    more = f"<p>{len(view.bits) - BITS_SHOWN} more bits are not shown.</p>" if len(view.bits) > BITS_SHOWN else ""
    said = (
        "Each hash function has two groups of references; a candidate gets the side it is nearer to. “Ones before” is the "
        "share of ones in the text that the model was adapted to, “here” in this text: a large difference means that this "
        "text is of another kind."
    )
    return (
        f"<h3>What the bits separate</h3><p>{said}</p><details><summary>{min(len(view.bits), BITS_SHOWN)} bits</summary>"
        f'<div class="scroll"><table class="bits">{head}{rows}</table></div>{more}</details>'
    )


def _bit(one: BitView, moved: bool) -> str:
    sides = "".join(
        f"<td>{'<br>'.join(f'<code>{_short(text, 70)}</code>' for text in one.sides[side][:2])}"
        f"{f'<small>and {len(one.sides[side]) - 2} more</small>' if len(one.sides[side]) > 2 else ''}</td>"
        for side in (0, 1)
    )
    before = "–" if one.before is None else f"{one.before:.0%}"
    is_far = one.before is not None and abs(one.before - one.here) > 0.2
    tail = f"<td>{one.moved:.3f}</td>" if moved and one.moved is not None else ""
    return (
        f"<tr><td>{one.bit}</td><td>{shown(one.view)}</td>{sides}<td>{before}</td>"
        f"<td{' class=far' if is_far else ''}>{one.here:.0%}</td>{tail}</tr>"
    )


def _heat(view: ModelView) -> str:
    if view.redundancy.shape[0] < 2:
        return ""
    off = view.redundancy[~np.eye(len(view.redundancy), dtype=bool)]
    return (
        f"<h3>How redundant they are</h3><figure>{draw_redundancy(view.redundancy)}<figcaption>Correlation of pairs of bits on "
        f"this text, without its sign: the darker, the more two bits say the same. Mean {off.mean():.2f}, largest "
        f"{off.max():.2f}.</figcaption></figure>"
    )


def _visible(evidence: Evidence) -> Evidence:
    """The evidence with every invisible character shown."""
    return replace(
        evidence,
        participants=tuple(map(visible, evidence.participants)),
        sentence=tuple(replace(piece, text=visible(piece.text)) for piece in evidence.sentence),
        path=tuple(replace(station, text=visible(station.text)) for station in evidence.path),
    )


def _short(text: str, longest: int = LONGEST) -> str:
    return shown(text if len(text) <= longest else f"{text[: longest - 1]}…")


_HOW = """<h2 id="how">How to read this</h2>
<ul class="notes">
<li>The contributions are exact: with the start they sum to the log-odds of the classifier. They say what moved this model's
decision, not what is true in the world.</li>
<li>A tree is credited along the path that the candidate takes through it, a linear model term by term. Features that go along
with each other share their credit as the model happens to have learned it.</li>
<li>A model file holds codes and labels of its training text, no sentences. Give a labelled corpus (--labelled) to read the
nearest sentences.</li>
<li>“Seen often” means that at least five candidates of the training text have codes as near as is usual there.</li>
</ul>"""
