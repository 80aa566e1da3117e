"""All that knows biology: names and what they stand for, and whether a sentence states, denies or doubts a relation."""
