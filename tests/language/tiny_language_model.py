"""A language model of a few kilobytes, trained in a second, so that tests do not depend on the shipped weights."""

from __future__ import annotations

SENTENCES = [
    ("Ras binds Raf .", "NNP VBZ NNP .", [1, 1, 1, 1], "nsubj ROOT dobj punct", [(0, 1), (2, 3)]),
    ("Raf binds MEK .", "NNP VBZ NNP .", [1, 1, 1, 1], "nsubj ROOT dobj punct", [(0, 1), (2, 3)]),
    ("The kinase phosphorylates MEK .", "DT NN VBZ NNP .", [1, 2, 2, 2, 2], "det nsubj ROOT dobj punct", [(3, 4)]),
    ("Ras interacts with Raf .", "NNP VBZ IN NNP .", [1, 1, 1, 2, 1], "nsubj ROOT prep pobj punct", [(0, 1), (3, 4)]),
    ("Map Ras binds MEK .", "NN NNP VBZ NNP .", [1, 2, 2, 2, 2], "compound nsubj ROOT dobj punct", [(1, 2), (3, 4)]),
    ("We studied the cells .", "PRP VBD DT NNS .", [1, 1, 3, 1, 1], "nsubj ROOT det dobj punct", []),
]


def tiny_pipeline(*, parser: bool = True):
    """A spaCy pipeline that has seen six sentences: wrong about most of English, but a whole pipeline."""
    import spacy
    from spacy.tokens import Doc, Span
    from spacy.training import Example
    from spacy.util import fix_random_seed

    fix_random_seed(0)
    nlp = spacy.blank("en")
    nlp.meta["name"] = "tiny"
    nlp.meta["version"] = "0.0.1"
    tok2vec = {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 32, "depth": 2,
               "embed_size": 200, "window_size": 1, "maxout_pieces": 2, "subword_features": True}  # fmt: skip
    nlp.add_pipe("tok2vec", config={"model": tok2vec})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32}
    nlp.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}})
    transitions = {"@architectures": "spacy.TransitionBasedParser.v2", "tok2vec": listener, "extra_state_tokens": False,
                   "hidden_width": 32, "maxout_pieces": 2, "use_upper": True}  # fmt: skip
    if parser:
        nlp.add_pipe("parser", config={"min_action_freq": 1, "model": {**transitions, "state_type": "parser"}})
    nlp.add_pipe("ner", config={"model": {**transitions, "state_type": "ner"}})
    examples = []
    for text, tags, heads, labels, entities in SENTENCES:
        words = text.split()
        gold = Doc(
            nlp.vocab, words=words, tags=tags.split(), heads=heads, deps=labels.split(), lemmas=[w.lower() for w in words]
        )
        gold.set_ents([Span(gold, start, end, "GENE") for start, end in entities])
        examples.append(Example(Doc(nlp.vocab, words=words), gold))
    optimizer = nlp.initialize(lambda: examples)
    optimizer.learn_rate = 0.01
    for _ in range(25):
        nlp.update(examples, sgd=optimizer)
    return nlp
