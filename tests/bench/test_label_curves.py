from __future__ import annotations

from relhash.bench.report import label_efficiency


def test_what_a_label_is_worth():
    def row(system, labels, auc):
        return {"system": system, "direction": "A→B", "labels": labels, "auc": auc}

    plain = [row("ngram-lr", 100, 0.60), row("ngram-lr", 500, 0.64), row("descriptors-forest", 100, 0.62)]
    plain.append(row("descriptors-forest", 500, 0.70))
    (note,) = label_efficiency([*plain, row("best", 100, 0.70)])
    assert "are worth about 500 of the best plain baseline, more than 500 of n-grams" in note
    (note,) = label_efficiency([*plain, row("best", 100, 0.71)])
    assert "more than 500" in note
