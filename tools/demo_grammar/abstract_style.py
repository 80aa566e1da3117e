"""The house style of abstracts: present tense, general verbs, nothing but the point."""

from __future__ import annotations

from demo_grammar.lexicon import Style, actions, verbs

ABSTRACT = Style(
    name="abstracts",
    tense="present",
    relating=verbs(
        "bind/bound, interact with, phosphorylate, associate with, activate, inhibit, bind/bound to, recognize, "
        "regulate, repress, complex with, dephosphorylate, suppress, modulate, target, block, couple to, inactivate, "
        "heterodimerize with, oxidize"
    ),
    joining=verbs("interact, associate, dimerize, synergize"),
    comparing=verbs(
        "correlate with, mirror, resemble, differ from, co-occur/co-occurred with, cluster with, outnumber, "
        "accompany/accompanied, follow, align with, coincide with, diverge from, predict, replace, outlive, belong with"
    ),
    drifting=verbs("differ, accumulate, coevolve, diverge"),
    nominal_pairs=("interaction", "association", "complex", "binding"),
    nominal_comparisons=("correlation", "similarity", "difference", "homology"),
    nominal_actions=actions(
        "binding of to, phosphorylation of by, activation of by, inhibition of by, association of with, interaction of with"
    ),
    nominal_doings=actions("comparison of with, replacement of by, alignment of to, correlation of with, coexpression of with"),
    roles=("ligand", "substrate", "partner", "inhibitor", "activator", "target", "repressor"),
    kinships=("homologue", "relative", "precursor", "isoform", "neighbor", "marker"),
    classes=("kinase", "receptor", "adaptor", "phosphatase", "oncoprotein", "cytokine"),
    qualities=("human", "recombinant", "mutant", "active", "murine"),
    regions=("domain", "tail", "region", "motif"),
    others=(
        "(homologue/NN det:a/DT * prep:(of/IN pobj:$name))",
        "(protein/NN det:a/DT * acl:(related/VBN/relate prep:(to/IN pobj:$name)))",
        "(antibody/NN det:an/DT * prep:(against/IN pobj:$name))",
        "(variant/NN det:a/DT * acl:(lacking/VBG dobj:$name))",
    ),
    reports=(
        "(show/VBP advmod:here/RB punct:,/, nsubj:we/PRP * ccomp:$clause)",
        "(suggest/VBP nsubj:(results/NNS det:these/DT *) * ccomp:$clause)",
        "(indicate/VBP nsubj:(data/NNS poss:our/PRP$ *) * ccomp:$clause)",
        "(report/VBP nsubj:we/PRP * ccomp:$clause)",
        "(demonstrate/VBP nsubj:(findings/NNS det:the/DT *) * ccomp:$clause)",
        "(known/VBN nsubjpass:it/PRP auxpass:is/VBZ * ccomp:$clause)",
    ),
    questions=(
        ("whether", "(investigated/VBD/investigate nsubj:we/PRP * ccomp:$clause)"),
        ("whether", "(is/VBZ nsubj:it/PRP * acomp:unclear/JJ ccomp:$clause)"),
        ("whether", "(asked/VBD/ask nsubj:we/PRP * ccomp:$clause)"),
        ("that", "(is/VBZ expl:there/EX * nsubj:(evidence/NN det:no/DT * acl:$clause))"),
    ),
    openers=(
        ("advmod", "However/RB"),
        ("advmod", "Furthermore/RB"),
        ("advmod", "Interestingly/RB"),
        ("advmod", "Moreover/RB"),
        ("advmod", "Thus/RB"),
        ("advmod", "Surprisingly/RB"),
        ("prep", "(In/IN pobj:addition/NN)"),
    ),
    manners=("directly/RB", "specifically/RB", "strongly/RB"),
    places=(
        "(in/IN pobj:(cells/NNS compound:tumor/NN *))",
        "(in/IN pobj:(brain/NN det:the/DT *))",
        "(in/IN pobj:lymphocytes/NNS)",
        "(during/IN pobj:mitosis/NN)",
        "(in/IN pobj:(cells/NNS amod:epithelial/JJ *))",
        "(at/IN pobj:(membrane/NN det:the/DT *))",
    ),
    partners=("DNA/NN", "ATP/NN", "calcium/NN", "(filaments/NNS compound:actin/NN *)", "heparin/NN"),
    assembly="complex",
    sightings=verbs("detect, observe, confirm"),
    removals=("loss", "mutation", "overexpression"),
    aspects=("expression", "level", "activity", "phosphorylation"),
    quantities=("levels/NNS", "concentrations/NNS"),
    circumstances=(
        "(in/IN pobj:(cells/NNS acl:(lacking/VBG dobj:$name)))",
        "(in/IN pobj:(absence/NN det:the/DT * prep:(of/IN pobj:$name)))",
        "(in/IN pobj:(mice/NNS acl:(expressing/VBG/express dobj:$name)))",
    ),
    changes=verbs("disrupt, enhance, affect"),
    modals=("may", "can", "might"),
    conjunctions=("whereas", "while", "although"),
    processes=("apoptosis/NN", "differentiation/NN", "(growth/NN compound:cell/NN *)", "transcription/NN", "inflammation/NN"),
)
