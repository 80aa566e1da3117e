"""The encoder with small drawn weights: what it computes, that nothing but sentence and pair matters, its file, the view."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from relhash.candidates import Candidate, build_structures, candidates
from relhash.candidates.pairs import PairPolicy
from relhash.corpus import Document, Mention
from relhash.corpus import Sentence as Sentences
from relhash.errors import DataMissingError, ModelFileError
from relhash.language import encoder as module
from relhash.language.encoder import LONGEST, Pair, PairEncoder, Sentence, shared_encoder, window
from relhash.language.word_pieces import TRIGGER
from relhash.learn import EncoderPart, FeatureMap

WIDTH, HEADS = 24, 2
PIECES = ["[CLS]", "[SEP]", "[UNK]", "protein", "chemical", "thing", "bind", "##s", "to", "and", "not", *"abcdefgh"]
RAS_RAF = Sentence("Ras binds to Raf and not MEK", [((0, 3), "protein"), ((13, 16), "protein"), ((25, 28), "chemical")], [])


def drawn_arrays(seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    arrays: dict[str, np.ndarray] = {"layers": np.array(2)}

    def matrix(name: str, rows: int, columns: int) -> None:
        arrays[name] = rng.integers(-127, 128, (rows, columns)).astype(np.int8)
        arrays[f"{name}.scale"] = np.full(columns, 0.003, np.float32)
        arrays[f"{name}.bias"] = rng.normal(size=columns).astype(np.float32)

    matrix("word", len(PIECES), WIDTH)
    arrays["word.scale"] = np.full(len(PIECES), 0.01, np.float32)
    for name, rows in (("position", LONGEST), ("slot", 3)):
        arrays[name] = rng.normal(size=(rows, WIDTH)).astype(np.float32)
    norm = np.stack([np.ones(WIDTH), np.zeros(WIDTH)]).astype(np.float32)
    arrays["norm"] = norm
    for layer in ("0.", "1."):
        for name, rows, columns in (("qkv", WIDTH, 3 * WIDTH), ("out", WIDTH, WIDTH), ("up", WIDTH, 96), ("down", 96, WIDTH)):
            matrix(layer + name, rows, columns)
        arrays[layer + "norm1"] = arrays[layer + "norm2"] = norm
        arrays[layer + "regions"] = rng.normal(size=(5, 3, HEADS)).astype(np.float32)
    matrix("vector", 4 * WIDTH, 8)
    matrix("heads", 8, 2)
    return arrays


def saved(path, arrays, sources=("bionlp",), names=("general", "bionlp")):
    texts = {"pieces": PIECES, "names": names, "sources": sources}
    np.savez(path, **arrays, **{name: np.frombuffer("\n".join(lines).encode(), np.uint8) for name, lines in texts.items()})
    return path


@pytest.fixture(scope="module")
def encoder() -> PairEncoder:
    return PairEncoder(PIECES, drawn_arrays(), ["general", "bionlp"])


def pairs(*chosen: tuple[int, int]) -> Sentence:
    return RAS_RAF._replace(pairs=[Pair(*one) for one in chosen])


def plainly(arrays: dict[str, np.ndarray], ids: list[int], places: tuple[int, int], kinds: tuple[int, int]) -> np.ndarray:
    """The same in floats, for one pair, with nothing clever."""

    def times(name, x):
        return x @ (arrays[name] * arrays[f"{name}.scale"]) + arrays[f"{name}.bias"]

    def normed(x):
        return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)

    words = arrays["word"] * arrays["word.scale"][:, None]
    n, size = len(ids), WIDTH // HEADS
    x = words[ids] + arrays["position"][:n]
    markers = [words[kinds[0]] + arrays["position"][places[0]], words[kinds[1]] + arrays["position"][places[1]], words[0]]
    x = normed(np.concatenate([x, np.stack(markers) + arrays["slot"]]))
    bias = np.zeros((HEADS, n + 3, n + 3))
    bias[:, :n, n:] = -np.inf  # words do not see markers
    region = [
        0 if i < places[0] else 1 if i == places[0] else 2 if i < places[1] else 3 if i == places[1] else 4 for i in range(n)
    ]
    for layer in ("0.", "1."):
        bias[:, n:, :n] = arrays[layer + "regions"][region].transpose(2, 1, 0)
        q, k, v = times(layer + "qkv", x).reshape(n + 3, 3, HEADS, size).transpose(1, 2, 0, 3)
        weights = special.softmax(q @ k.transpose(0, 2, 1) / np.sqrt(size) + bias, axis=-1)
        x = normed(x + times(layer + "out", (weights @ v).transpose(1, 0, 2).reshape(n + 3, WIDTH)))
        up = times(layer + "up", x)
        x = normed(x + times(layer + "down", up * special.ndtr(up)))
    between = x[places[0] + 1 : places[1]].mean(0) if places[1] > places[0] + 1 else np.zeros(WIDTH)
    vector = np.tanh(times("vector", np.concatenate([x[n:].ravel(), between])))
    return np.concatenate([times("heads", vector), vector])


def test_it_computes_what_it_says(encoder):
    ids, places = encoder.pieces.read(RAS_RAF.text, RAS_RAF.entities)
    assert [PIECES[one] for one in ids] == [
        "[CLS]",
        "protein",
        "bind",
        "##s",
        "to",
        "protein",
        "and",
        "not",
        "chemical",
        "[SEP]",
    ]
    for first, second in ((0, 1), (0, 2), (1, 2)):
        (found,) = encoder.encode([pairs((first, second))])
        kinds = tuple(PIECES.index(RAS_RAF.entities[one][1]) for one in (first, second))
        np.testing.assert_allclose(found[0], plainly(drawn_arrays(), ids, (places[first], places[second]), kinds), atol=0.08)


def test_a_row_depends_on_its_sentence_and_pair_alone(encoder, monkeypatch):
    short = Sentence("Ras and Raf", [((0, 3), "protein"), ((8, 11), "protein")], [Pair(0, 1)])
    together = encoder.encode([short, pairs((1, 2), (0, 1)), short])
    np.testing.assert_array_equal(together[0], together[2])
    np.testing.assert_array_equal(together[1][1:], encoder.encode([pairs((0, 1))])[0])
    monkeypatch.setattr(module, "AT_ONCE", 1)
    np.testing.assert_array_equal(together[1], encoder.encode([pairs((1, 2), (0, 1))])[0])
    assert encoder.encode([pairs()])[0].shape == (0, len(encoder.columns))
    assert encoder.encode([]) == []


def test_triggers_change_nothing_that_is_read(encoder):
    text = "Ras unbinds it and Raf-bound MEK binds"
    entities = [((0, 3), "protein"), ((19, 22), "protein"), ((29, 32), "chemical")]
    triggers = [((start, start + 4), TRIGGER) for start in (6, 23, 33, 1)]
    plain, places = encoder.pieces.read(text, entities)
    ids, more = encoder.pieces.read(text, [*triggers, *entities])
    assert (ids, more[4:]) == (plain, places)
    assert more[3] == places[0]  # inside an entity
    assert ids[more[2]] == PIECES.index("bind")
    assert more[0] == places[0] + 1
    assert places[1] < more[1] < places[2] < more[2]
    (alone,) = encoder.encode([Sentence(text, entities, [Pair(0, 1)])])
    (beside,) = encoder.encode([Sentence(text, [*entities, *triggers], [Pair(0, 5), Pair(0, 1), Pair(1, 4)])])
    np.testing.assert_array_equal(beside[1], alone[0])
    assert len({row.tobytes() for row in beside}) == 3


def test_onnxruntime_changes_no_bit(encoder, monkeypatch):
    pytest.importorskip("onnxruntime")
    monkeypatch.setattr(module, "_integer_product", lambda: None)
    other = PairEncoder(PIECES, drawn_arrays(), ["general", "bionlp"])
    np.testing.assert_array_equal(encoder.encode([pairs((0, 1), (1, 2))])[0], other.encode([pairs((0, 1), (1, 2))])[0])


@pytest.mark.parametrize("places", [(3, 100), (3, 111), (150, 160), (2, 190), (180, 20), (188, 190)])
def test_of_a_long_sentence_what_is_around_the_pair(places):
    own, first, second = window(range(192), *places)
    assert len(own) == LONGEST
    assert (own[first], own[second], own[0], own[-1]) == (*places, 0, 191)
    assert list(own) == sorted(own)


def test_a_long_sentence_is_read_around_each_pair(encoder):
    text = "Ras binds to Raf " + "and " * 150 + "Raf binds to MEK"
    spans = [(0, 3), (13, 16), (len(text) - 16, len(text) - 13), (len(text) - 3, len(text))]
    (found,) = encoder.encode([Sentence(text, [(span, "protein") for span in spans], [Pair(0, 1), Pair(2, 3), Pair(0, 3)])])
    assert np.isfinite(found).all()
    assert not np.array_equal(found[0], found[1])


def test_files(tmp_path, encoder):
    arrays = drawn_arrays()
    read = PairEncoder.load(saved(tmp_path / "encoder.npz", arrays))
    np.testing.assert_array_equal(read.encode([pairs((0, 1))])[0], encoder.encode([pairs((0, 1))])[0])
    assert (read.version, read.learned_from) == (encoder.version, ("bionlp",))
    del arrays["1.up"]
    with pytest.raises(ModelFileError, match=r"1\.up"):
        PairEncoder.load(saved(tmp_path / "broken.npz", arrays))
    (tmp_path / "text.npz").write_text("no arrays")
    with pytest.raises(ModelFileError, match=r"text\.npz"):
        PairEncoder.load(tmp_path / "text.npz")


def test_the_view_and_its_features(tmp_path, monkeypatch, encoder):
    monkeypatch.setenv("RELHASH_ENCODER", str(saved(tmp_path / "drawn.npz", drawn_arrays())))
    shared_encoder.cache_clear()
    try:
        mentions = tuple(
            Mention(f"T{n}", kind, (span,), RAS_RAF.text[slice(*span)]) for n, (span, kind) in enumerate(RAS_RAF.entities)
        )
        found = list(candidates([Document("d", RAS_RAF.text, mentions=mentions)], PairPolicy(unsplit="document")))
        structures = build_structures(found, ["encoder"])
        numbers = [tuple(int(m.id[1]) for m in one.mentions) for one in found]
        np.testing.assert_array_equal(structures["encoder"], encoder.encode([pairs(*numbers)])[0])
        features = FeatureMap([EncoderPart()])
        features.fit_transform(structures)
        assert features.parts[0].columns[:3] == ["general", "bionlp", "vector 0"]
        arrays, notes = features.to_arrays()
        assert FeatureMap.from_arrays(arrays, notes).transform(structures).shape == (3, 10)
        monkeypatch.setenv("RELHASH_ENCODER", str(saved(tmp_path / "other.npz", drawn_arrays(seed=1))))
        shared_encoder.cache_clear()
        with pytest.raises(ModelFileError, match="fit it again"):
            FeatureMap.from_arrays(arrays, notes)
        monkeypatch.setenv("RELHASH_ENCODER", str(tmp_path / "absent.npz"))
        shared_encoder.cache_clear()
        with pytest.raises(DataMissingError, match="RELHASH_ENCODER"):
            shared_encoder()
    finally:
        shared_encoder.cache_clear()


def test_a_candidate_with_a_trigger_is_as_likely_as_its_links(tmp_path, monkeypatch):
    file = saved(tmp_path / "drawn.npz", drawn_arrays(), names=("theme", "cause"))
    monkeypatch.setenv("RELHASH_ENCODER", str(file))
    shared_encoder.cache_clear()
    try:
        entities = [
            Mention(f"T{n}", kind, (span,), RAS_RAF.text[slice(*span)]) for n, (span, kind) in enumerate(RAS_RAF.entities)
        ]
        document = Document("d", RAS_RAF.text, mentions=tuple(entities), sentences=(Sentences("s", 0, len(RAS_RAF.text)),))
        word = Mention("binds", "Binding", ((4, 9),), "binds", is_trigger=True)
        pair = Candidate(document, 0, tuple(entities[:2]), ("e1", "e2"))
        found = Candidate(document, 0, (entities[0], word, entities[1]), ("cause", "trigger", "theme"))
        other = Candidate(document, 0, (word, entities[1]), ("trigger", "theme"))
        rows = build_structures([pair, found, other], ["encoder"])["encoder"]
        asked = Sentence(RAS_RAF.text, [*RAS_RAF.entities, ((4, 9), TRIGGER)], [Pair(0, 3), Pair(3, 1)])
        (cause, theme) = shared_encoder().encode([asked])[0]
        np.testing.assert_allclose(rows[1, :2], [special.log_expit(theme[0]), special.log_expit(cause[1])], rtol=1e-5)
        np.testing.assert_allclose(rows[2, :2], [special.log_expit(theme[0]), 0], rtol=1e-5)
        np.testing.assert_allclose(rows[1, 2:], (cause + theme)[2:] / 2, rtol=1e-5)
        np.testing.assert_array_equal(rows[0], shared_encoder().encode([pairs((0, 1))])[0][0])
        np.testing.assert_array_equal(rows[2], build_structures([other], ["encoder"])["encoder"][0])
    finally:
        shared_encoder.cache_clear()
