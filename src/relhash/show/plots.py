"""Figures by matplotlib: as PNG files for results, as SVG images inside pages.

Colours tell systems apart for colour-blind readers too (Okabe and Ito), and every line has its own marker.
"""

from __future__ import annotations

import base64
import io
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from relhash.files import replacing
from relhash.visible import visible

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vP*X"

EQUAL_F1 = (0.2, 0.4, 0.6, 0.8)
Curve = Sequence[tuple[float, float]]
"""Recall, rising, and precision."""
Row = Mapping[str, Any]


def curves(
    rows: Sequence[Row], path: Path, *, x: str = "labels", y: str = "auc", title: str = "", panels: str = "direction"
) -> None:
    """One panel per direction, one line per system, a band of one standard deviation (``<y>_sd``) around it."""
    names = list(dict.fromkeys(row[panels] for row in rows))
    systems = list(dict.fromkeys(row["system"] for row in rows))
    figure, axes = new_figure(len(names))
    for axis, name in zip(axes, names, strict=True):
        for number, system in enumerate(systems):
            points = sorted((r for r in rows if r[panels] == name and r["system"] == system), key=lambda row: row[x])
            if not points:
                continue
            if points[0][x] == 0:  # no labels: the same wherever the curves are
                axis.axhline(points[0][y], color=COLOURS[number % len(COLOURS)], linestyle=":", linewidth=1.4, label=system)
                points = points[1:]
            if not points:
                continue
            xs = np.array([row[x] for row in points], float)
            ys = np.array([row[y] for row in points], float)
            spread = np.array([row.get(f"{y}_sd") or 0.0 for row in points], float)
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            again = number >= len(COLOURS)  # a colour used for the second time comes with a broken line
            style = {"linestyle": "--" if again else "-", "linewidth": 2.4 if system == "best" else 1.4}
            axis.plot(xs, ys, color=colour, marker=marker, markersize=4, label=system, **style)
            axis.fill_between(xs, ys - spread, ys + spread, color=colour, alpha=0.12, linewidth=0)
        axis.set_xscale("log")
        ticks = sorted({row[x] for row in rows} - {0})
        axis.set_xticks(ticks, [str(tick) for tick in ticks])
        axis.minorticks_off()
        dress(axis, name, x, y)
    axes[-1].legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    _save(figure, path, title)


def bars(rows: Sequence[Row], path: Path, *, y: str = "f1", title: str = "", panels: str = "direction") -> None:
    """One panel per direction, one bar per system with its 95 % interval (else its standard deviation), and a mark for the
    published figure.

    The value stands at the foot of its bar, where neither whisker nor mark crosses it.
    """
    names = list(dict.fromkeys(row[panels] for row in rows))
    systems = list(dict.fromkeys(row["system"] for row in rows))
    figure, axes = new_figure(len(names), height=0.6 + 0.32 * len(systems))
    for axis, name in zip(axes, names, strict=True):
        for number, system in enumerate(systems):
            row = next((row for row in rows if row[panels] == name and row["system"] == system), None)
            if row is None or row[y] is None:
                continue
            colour = COLOURS[0] if system == "best" else COLOURS[5]
            spread = row.get(f"{y}_sd") or 0.0
            low, high = row.get(f"{y}_interval") or (row[y] - spread, row[y] + spread)
            whisker = np.clip([[row[y] - low], [high - row[y]]], 0.0, None)
            axis.barh(number, row[y], xerr=whisker, color=colour, height=0.7, capsize=2)
            ink = "white" if colour == COLOURS[0] else "black"
            axis.text(0.005, number, f"{row[y]:.3f}", va="center", fontsize=8, color=ink)
            if y == "f1" and row.get("paper_f1") is not None:
                axis.plot([row["paper_f1"]] * 2, [number - 0.4, number + 0.4], color=COLOURS[1], linewidth=2, label="published")
        axis.set_yticks(range(len(systems)), systems if axis.get_subplotspec().is_first_col() else [], fontsize=8)
        axis.set_ylim(len(systems) - 0.4, -0.6)
        axis.set_xlim(0, max(max(row[y] or 0, row.get("paper_f1") or 0) for row in rows) * 1.15)
        dress(axis, name, y, "")
    marks = [mark for axis in axes for mark in axis.get_lines() if mark.get_label() == "published"]
    if marks:
        figure.legend(handles=marks[:1], frameon=False, fontsize=8, loc="upper right")
    _save(figure, path, title)


def save_precision_recall(curve: Curve, chosen: tuple[float, float], path: Path, *, title: str = "") -> None:
    """Precision against recall of one model, and the point that it chose."""
    _save(_precision_recall({"": (curve, chosen)}), path, title)


def draw_curves(series: Mapping[str, tuple[Curve, tuple[float, float]]], positive_rate: float | None = None) -> Markup:
    """Precision against recall: the curve of each system, recall rising, and the point that it chose."""
    return as_image(_precision_recall(series, positive_rate), "Precision against recall of each system")


def _precision_recall(series: Mapping[str, tuple[Curve, tuple[float, float]]], positive_rate: float | None = None) -> Any:
    figure, (axis,) = new_figure(1)
    for f1 in EQUAL_F1:
        recall = np.linspace(f1 / (2 - f1), 1, 41)
        axis.plot(recall, f1 * recall / (2 * recall - f1), color="#bbbbbb", linewidth=0.7, linestyle=":")
    if positive_rate is not None:
        axis.axhline(positive_rate, color=COLOURS[7], linewidth=0.8, linestyle="--")
    for number, (name, (curve, chosen)) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = np.array(curve)[:: max(1, len(curve) // 1000)]
        axis.step(points[:, 0], points[:, 1], where="post", color=colour, linewidth=1.4, label=visible(name))
        axis.plot(*chosen, marker="o", markersize=6, color=colour, label="_")
    axis.set(xlim=(0, 1.01), ylim=(0, 1.02))
    dress(axis, "", "recall", "precision")
    if len(series) > 1:
        axis.legend(frameon=False, fontsize=8)
    return figure


def reliability(bins: Mapping[str, Sequence[Row]], path: Path, *, title: str = "") -> None:
    """One panel per set: the share that is right against the stated probability, one point per bin."""
    _save(_reliability(bins, "share right"), path, title)


def draw_calibration(bins: Sequence[Row]) -> Markup:
    """The share of relations against the stated probability."""
    return as_image(_reliability({"": bins}, "share related", height=3), "Calibration")


def _reliability(bins: Mapping[str, Sequence[Row]], share: str, height: float = 4.0) -> Any:
    """The area of a point grows with its rows (``n``, above it); on the diagonal a probability means what it says."""
    figure, axes = new_figure(len(bins), height)
    for axis, (name, points) in zip(axes, bins.items(), strict=True):
        axis.plot([0, 1], [0, 1], color=COLOURS[7], linewidth=1, linestyle="--")
        xs, ys = [point["probability"] for point in points], [point["right"] for point in points]
        axis.plot(xs, ys, color=COLOURS[0], linewidth=1.4)
        largest = max((point["n"] for point in points), default=1)
        axis.scatter(xs, ys, s=[8 + 150 * point["n"] / largest for point in points], color=COLOURS[0], alpha=0.7)
        for x, y, point in zip(xs, ys, points, strict=True):
            axis.annotate(str(point["n"]), (x, y), xytext=(0, 9), textcoords="offset points", fontsize=7, ha="center")
        axis.set(xlim=(0, 1), ylim=(0, 1.02))
        dress(axis, name, "probability", share)
    return figure


def new_figure(n_panels: int, height: float = 4.0) -> tuple[Any, list[Any]]:
    """A figure with its panels side by side, more than three in two rows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    n_rows = 1 if n_panels <= 3 else 2
    n_columns = -(-n_panels // n_rows)
    figure = Figure(figsize=(4.6 * n_columns + 0.6, n_rows * max(2.2, height)), layout="constrained", dpi=140)
    FigureCanvasAgg(figure)  # no pyplot: nothing global, no window, whatever backend the user has set
    return figure, [figure.add_subplot(n_rows, n_columns, number + 1) for number in range(n_panels)]


def dress(axis: Any, title: str, x: str, y: str) -> None:
    """Title, names of the axes, a faint grid."""
    axis.set_title(title, fontsize=10)
    axis.set_xlabel(x)
    axis.set_ylabel(y)
    axis.grid(alpha=0.25, linewidth=0.6)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def _save(figure: Any, path: Path, title: str) -> None:
    if title:
        figure.suptitle(title, fontsize=11)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, "wb") as handle:
        _write(figure, handle, format="png")


def _write(figure: Any, to: Any, **how: Any) -> None:
    """Letters that matplotlib's font lacks, as in a Chinese name, are boxes in a PNG file and a browser's own in a page."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(to, **how)


def as_image(figure: Any, words: str) -> Markup:
    """A matplotlib figure as an image inside the page; ``words`` are for those who cannot see it."""
    import matplotlib as mpl

    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "relhash", "svg.fonttype": "none"}):  # the same figure is the same bytes
        _write(figure, buffer, format="svg", metadata={"Date": None})
    content = base64.b64encode(buffer.getvalue()).decode("ascii")
    return Markup('<img alt="{}" src="data:image/svg+xml;base64,{}">').format(words, content)


def draw_trace(trace: Mapping[str, Any]) -> Markup:
    """The objective of each trial; functions that did not stay are hollow."""
    figure, (axis,) = new_figure(1, height=3)
    values = np.array(trace["objective"], np.float64)
    trials = np.arange(values.size)
    kept = ~np.isin(trials, [*trace["rejected"], *trace["deleted"]])
    axis.scatter(trials[kept], values[kept], s=9, color=COLOURS[0])
    axis.scatter(trials[~kept], values[~kept], s=9, facecolors="none", edgecolors=COLOURS[7])
    dress(axis, "", "trial", "objective")
    return as_image(figure, "Learning trace")


def draw_redundancy(matrix: NDArray[np.float64]) -> Markup:
    """One square per pair of bits, the darker the more they say the same."""
    figure, (axis,) = new_figure(1, height=3.4)
    axis.pcolormesh(np.tril(matrix), cmap="Greys", vmin=0, vmax=1)
    axis.set(aspect="equal")
    axis.invert_yaxis()
    axis.axis("off")
    return as_image(figure, "Redundancy of bits")
