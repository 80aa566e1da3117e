"""The whole way from a corpus to scored relations."""
