"""The stages of a fit, from labelled text to a decision; what is kept of them while they run."""
