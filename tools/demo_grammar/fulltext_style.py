"""The house style of full texts: past tense, verbs of the bench, figures and references."""

from __future__ import annotations

from demo_grammar.lexicon import Style, actions, verbs

FULLTEXT = Style(
    name="fulltext",
    tense="past",
    relating=verbs(
        "bind/bound, interact with, phosphorylate, recruit, co-precipitate with, dock onto, sequester, engage, "
        "ubiquitinate, stimulate, antagonize, contact, copurify/copurified with, cleave, tether, anchor, acetylate, "
        "degrade, attach to, retain, capture, pair with, methylate"
    ),
    joining=verbs("interact, heterodimerize, co-precipitate, oligomerize, copurify/copurified"),
    comparing=verbs(
        "exceed, parallel, co-migrate with, resemble, overlap/overlapped with, precede, match, vary/varied with, "
        "decline with, substitute for, outlast, surpass, fluctuate with, lag/lagged behind, appear after, mask"
    ),
    drifting=verbs("overlap/overlapped, vary/varied, decline, co-migrate, disappear"),
    nominal_pairs=("interaction", "contact", "interface", "linkage"),
    nominal_comparisons=("ratio", "overlap", "distance", "resemblance"),
    nominal_actions=actions(
        "binding of to, recruitment of by, phosphorylation of by, ubiquitination of by, docking of onto, cleavage of "
        "by, retention of by"
    ),
    nominal_doings=actions(
        "co-migration of with, substitution of by, normalization of to, overlap of with, fusion of to, cotransfection of with"
    ),
    roles=("substrate", "scaffold", "cofactor", "antagonist", "effector", "client", "interactor"),
    kinships=("paralog", "variant", "surrogate", "counterpart", "descendant", "fragment"),
    classes=("ligase", "GTPase", "protease", "chaperone", "adaptor", "kinase"),
    qualities=("endogenous", "purified", "overexpressed", "soluble", "truncated"),
    regions=("domain", "loop", "segment", "helix", "fragment"),
    others=(
        "(paralog/NN det:a/DT * prep:(of/IN pobj:$name))",
        "(peptide/NN det:a/DT * amod:(unrelated/JJ prep:(to/IN pobj:$name)))",
        "(band/NN det:a/DT * acl:(migrating/VBG/migrate prep:(below/IN pobj:$name)))",
        "(polypeptide/NN det:a/DT * acl:(resembling/VBG/resemble dobj:$name))",
    ),
    reports=(
        "(found/VBD nsubj:we/PRP * ccomp:$clause)",
        "(revealed/VBD/reveal nsubj:(blotting/NN compound:Western/NNP *) * ccomp:$clause)",
        "(confirmed/VBD/confirm nsubj:(assays/NNS amod:(down/JJ compound:pull/NN punct:-/HYPH *) *) * ccomp:$clause)",
        "(noted/VBN/note nsubjpass:it/PRP aux:should/MD auxpass:be/VB * ccomp:$clause)",
        "(concluded/VBD/conclude advmod:therefore/RB punct:,/, nsubj:we/PRP * ccomp:$clause)",
        "(argue/VBP nsubj:(observations/NNS det:these/DT *) * ccomp:$clause)",
    ),
    questions=(
        ("whether", "(tested/VBD/test advmod:next/RB punct:,/, nsubj:we/PRP * ccomp:$clause)"),
        ("whether", "(examined/VBN/examine nsubjpass:it/PRP auxpass:was/VBD neg:not/RB * ccomp:$clause)"),
        ("that", "(found/VBD nsubj:we/PRP * dobj:(indication/NN det:no/DT * acl:$clause))"),
        ("whether", "(sought/VBD/seek nsubj:we/PRP * xcomp:(determine/VB aux:to/TO * ccomp:$clause))"),
    ),
    openers=(
        ("prep", "(In/IN pobj:contrast/NN)"),
        ("advmod", "Strikingly/RB"),
        ("advcl", "(expected/VBN/expect mark:As/IN *)"),
        ("advmod", "Again/RB"),
        ("advmod", "Nevertheless/RB"),
        ("advcl", "(shown/VBN mark:As/IN * prep:(in/IN pobj:(3B/NN compound:Figure/NN *)))"),
    ),
    manners=("efficiently/RB", "readily/RB", "weakly/RB", "directly/RB", "reproducibly/RB"),
    places=(
        "(in/IN pobj:(lysates/NNS amod:whole/JJ *))",
        "(in/IN pobj:(cells/NNS amod:transfected/VBN/transfect *))",
        "(in/IN pobj:(presence/NN det:the/DT * prep:(of/IN pobj:detergent/NN)))",
        "(in/IN pobj:(fraction/NN det:the/DT amod:cytosolic/JJ *))",
        "(after/IN pobj:(starvation/NN compound:serum/NN *))",
        "(under/IN pobj:(conditions/NNS det:these/DT *))",
    ),
    partners=("GTP/NN", "RNA/NN", "(beads/NNS compound:agarose/NN *)", "tubulin/NN", "(lipids/NNS compound:membrane/NN *)"),
    assembly="heteromer",
    sightings=verbs("see/saw/seen, record, reproduce, visualize"),
    removals=("knockdown", "silencing", "depletion", "truncation"),
    aspects=("abundance", "stability", "localization", "turnover", "ubiquitination"),
    quantities=("amounts/NNS", "intensities/NNS", "signals/NNS"),
    circumstances=(
        "(upon/IN pobj:(knockdown/NN prep:(of/IN pobj:$name)))",
        "(regardless/RB prep:(of/IN pobj:$name))",
        "(after/IN pobj:(treatment/NN prep:(with/IN pobj:$name)))",
        "(without/IN pobj:(addition/NN prep:(of/IN pobj:$name)))",
    ),
    changes=verbs("weaken, stabilize, perturb"),
    modals=("could", "might", "may"),
    conjunctions=("whereas", "while", "although"),
    processes=("migration/NN", "secretion/NN", "autophagy/NN", "(repair/NN compound:DNA/NN *)", "endocytosis/NN"),
)
