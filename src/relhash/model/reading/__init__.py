"""How a model reads text: where its parses come from, and what names that a tagger found add to a decision."""
