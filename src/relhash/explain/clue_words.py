"""The clues of an interaction (:mod:`relhash.structures.interactions.clues`) as a person would say them.

Of a cause and a theme the cause is the first, of two themes the one that stands first; *the word* is the trigger.
"""

from __future__ import annotations

CLUE_WORDS = {
    "first": "how likely the first takes part in this role",
    "second": "how likely the second takes part in this role",
    "weaker": "how likely the less likely of the two is",
    "stronger": "how likely the likelier of the two is",
    "both": "how likely both are together",
    "first_as_theme": "how likely the first is a theme of the word",
    "second_as_cause": "how likely the second is a cause",
    "first_as_cause": "how likely the first is a cause",
    "second_of_other_type": "how likely the word names another type for the second",
    "first_of_other_type": "how likely the word names another type for the first",
    "other_theme": "how likely the best other theme is",
    "other_cause": "how likely the best other cause is",
    "likelier_themes": "how many other themes are likelier",
    "likelier_causes": "how many others are likelier in the role of the first",
    "linked": "how many names the word may be about",
    "other_themes": "how many other themes the word is expected to have",
    "steps_first": "steps in the parse from the word to the first",
    "steps_second": "steps in the parse from the word to the second",
    "steps_between": "steps in the parse between the two",
    "trigger_on_path": "whether the word lies on the path between the two",
    "words_first": "words from the word to the first",
    "words_second": "words from the word to the second",
    "words_between": "words between the two",
    "first_before_second": "whether the first stands before the second",
    "trigger_between": "whether the word stands between the two",
    "event_to_first": "whether something else happens to the first, on the way there",
    "event_to_second": "whether something else happens to the second, on the way there",
    "event_of_second": "whether another word is about the second",
    "event_of_first": "whether another word is about the first",
    "share": "how often such a word names this type",
    "same_name": "whether both have the same name",
    "entities": "how many names the sentence has",
    "words": "how long the sentence is",
    "alone": "whether there is only one participant",
    "two_themes": "whether there are two themes",
    "regulation": "whether the type is a regulation",
    "positive": "whether the type is a positive regulation",
    "negative": "whether the type is a negative regulation",
}
