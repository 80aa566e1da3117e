"""Words that are also names of genes. Written small, or with a capital where a sentence begins, they are words.

Chosen by eye from the small-letter words of biomedical text that HGNC, MGI or RGD know as a symbol or alias: "rest" and "was"
are no genes, though REST and WAS are. Names that people do write small ("ras", "lck", "insulin") are not among them.
"""

from __future__ import annotations

_WORDS = """
aa ac act acts ad adipose age ago ai aid aim air alkali all an ao apex ara arch arm armadillo arms as ask at aura bad
bank bar bars base be bean best bet beta bi bid bis bit blast bp bright ca cage call can cap caps car cardinal carp cat
cats cava cell chip clamp clock co cob coil complex cope crest cryptic cut cycling damage danger de delta des di digit
dl do domain ds ear ears ecto eg en end endo epi epsilon era erythroid et eta exp face fact factor fast fat fate fell
fig find fire fish flap flash flat flower fold for fragilis fused gamma gap gaps gas gene genes genesis get gm go goat
gov great grid gut had hamartin has he her hex high hip his hits hole hot hr hrs hs ic ice if ii impact in ins ip ir
kappa kb kd killer kin ko la lab lag lamp large laser le led ligand light limit lip lit lobe man map maps mark mask mass
mast max men met mice min minor mis mm mol mr mrs ms mt mu mul mut my na net ng no nodal not now nt nu nude of olfactory
on opt or org os out oval pa pad pale particle per peri peripheral permit pg ph phi pi pig pigs pilot pl plane pole post
pp prey protein proteins ps pv race ran rank raw ray receptor red ref reg rest rim ring rod rs sac salt sand sc scar se
sea sera set sex sharp she simple skin snap so son sp span spasm spatial spin spp spring star steel step stop striated
syn tag talk tape task tb tea ter th thank the theta tiny tip to top trade traits trap tri ts tube type ug ul up vas
ventricular via vs was wash wave we white wire wise wish wt zeta
"""
COMMON_WORDS = frozenset(_WORDS.split())

_CLASSES = """
antibodies antibody bindingprotein cytokine cytokines deathdomain enzyme enzymes growthfactors helixloophelix hormone
kinase kinases leucinezipper ligand mab membraneprotein nuclearprotein peptide peptides protein proteins receptor
receptors subunit transcriptionfactor zincfinger zincfingerprotein
"""
CLASS_NAMES = frozenset(_CLASSES.split())
"""Keys of names of whole classes, which some gene has as an alias all the same."""
