"""Interactions: a trigger that gives the type, and participants in roles.

Imported only where interactions are used; pairs do without it. Public names:

- :class:`InteractionPolicy` says which interactions are candidates, :class:`TriggerLexicon` which words name them;
- :func:`interaction_candidates` makes them, :func:`interaction_candidate` and :func:`trigger_mention` a single one;
- :func:`interaction_type` and :func:`participants` take a candidate apart;
- :func:`gold_interactions` reads what a document's annotation states;
- :func:`pairs_of_events` makes a corpus of protein pairs of it, for models of pairs;
- :func:`with_interactions` puts accepted candidates back into a document;
- :func:`role_views` names the views of roles.
"""

from relhash.candidates.gold import CAUSE, SITE, THEME, THEME2, role_of
from relhash.candidates.statements.candidate import interaction_candidate, interaction_type, participants, trigger_mention
from relhash.candidates.statements.gold import GoldInteraction, gold_interactions
from relhash.candidates.statements.output import with_interactions
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.candidates.statements.policy import InteractionPolicy, interaction_candidates
from relhash.candidates.statements.roles import INTERACTION, role_views
from relhash.candidates.statements.triggers import TriggerLexicon

__all__ = [
    "CAUSE", "INTERACTION", "SITE", "THEME", "THEME2", "GoldInteraction", "InteractionPolicy", "TriggerLexicon",
    "gold_interactions", "interaction_candidate", "interaction_candidates", "interaction_type", "pairs_of_events",
    "participants", "role_of", "role_views", "trigger_mention", "with_interactions",
]  # fmt: skip
