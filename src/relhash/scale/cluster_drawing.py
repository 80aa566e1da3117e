"""The clusters of two corpora as a picture: what one says and the other does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from relhash.files import replacing
from relhash.scale.code_overview import Alikeness


def draw_clusters(alike: Alikeness, names: tuple[str, str], path: Path) -> None:
    """One bar per cluster, up for one corpus and down for the other; clusters that only one of them has stand at the ends."""
    from matplotlib.figure import Figure

    order = np.argsort(alike.second - alike.first, kind="stable")
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(order))
    up, down = 100 * alike.first[order], -100 * alike.second[order]
    common = np.minimum(up, -down)
    axes.bar(places, up, width=1, color="#4477aa", label=names[0])
    axes.bar(places, down, width=1, color="#ee6677", label=names[1])
    axes.step(places, common, where="mid", color="black", linewidth=0.8, label="common to both")
    axes.step(places, -common, where="mid", color="black", linewidth=0.8)
    axes.axhline(0, color="black", linewidth=0.6)
    axes.set_xlim(-0.5, len(order) - 0.5)
    axes.set_xlabel(f"{len(order)} clusters of codes, ordered by which corpus fills them more")
    axes.set_ylabel("% of its candidates")
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_title(
        f"In common: {alike.overlap:.0%} of the candidates (by chance {alike.by_chance:.0%})", loc="left", fontsize=10
    )
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    with replacing(path, "wb") as handle:
        figure.savefig(handle, format=path.suffix.lower().removeprefix(".") or "png", dpi=150)
