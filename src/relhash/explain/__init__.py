"""Evidence for a prediction."""
