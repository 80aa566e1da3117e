"""Text to sentences, tokens, mentions and dependency graphs."""
