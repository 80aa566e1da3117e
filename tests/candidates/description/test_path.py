from __future__ import annotations

from relhash.candidates.description import label_kinds


def test_labels_of_all_schemes_have_kinds():
    assert label_kinds("prep_by") == ("agent", "preposition")
    assert label_kinds("nsubj:pass") == ("passive_subject",)
    assert label_kinds("nsubjpass") == ("passive_subject",)
    assert label_kinds("obl:in") == label_kinds("prep_in") == label_kinds("prepc_in") == label_kinds("pobj") == ("preposition",)
    assert label_kinds("conj_and") == ("coordination",)
    assert label_kinds("acl:relcl") == ("clause",)
