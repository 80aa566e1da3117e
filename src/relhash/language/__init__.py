"""Text to sentences, tokens, mentions and dependency graphs.

spaCy is imported only for a pipeline of the user's own: the model that ships runs without it.
"""

from relhash.language.annotation import ParseSource
from relhash.language.entities import Lexicon, LexiconEntry, entity_type
from relhash.language.parse_cache import ParseCache
from relhash.language.pipeline import Pipeline
from relhash.language.sentences import split_sentences

__all__ = ["Lexicon", "LexiconEntry", "ParseCache", "ParseSource", "Pipeline", "entity_type", "split_sentences"]
