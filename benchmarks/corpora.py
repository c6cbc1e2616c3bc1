"""Texts with labels: real ones where they are present, and made-up ones of any size."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

WORDS, CLASSES, DOCUMENT = 400_000, 20, 300  # made-up words, classes, words in a document on average
OWN = 0.3  # the share of words that a class draws in an order of its own
CYRILLIC = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстужвыцз", strict=True))
LETTERS, SHARES = "etaoinshrdlucmwfygpbvkjxqz", 1 / (np.arange(26) + 3.0)
LANGUAGES = ("be", "bg", "kk", "mk", "mn", "ru", "sr", "uk")
SENTENCES = 10  # in a document


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Documents as an Arrow array of large strings, and their classes."""

    name: str
    texts: Any
    labels: np.ndarray

    @property
    def megabytes(self) -> float:
        """Of UTF-8."""
        offsets = np.frombuffer(self.texts.buffers()[1], np.int64)
        at = self.texts.offset
        return float(offsets[at + len(self.texts)] - offsets[at]) / 1e6

    @property
    def label(self) -> str:
        """The name with the size."""
        return f"{self.name}, {self.megabytes:,.0f} MB"

    def strings(self) -> list[str]:
        """The same as Python has them."""
        return list(self.texts.to_pylist())

    def take(self, rows: np.ndarray) -> "Corpus":
        """Some of the documents, in a memory of their own."""
        return replace(self, texts=self.texts.take(pa.array(rows)), labels=self.labels[rows])


def real(folder: Path, name: str, texts: str = "text", split: str | None = None) -> Corpus | None:
    """A set of texts beside the project, or its part of one name; documents without a text are left out."""
    path = folder / f"{name}.parquet"
    if not path.exists():
        return None
    table = pq.read_table(path)
    table = table.filter(pc.is_valid(table[texts]))
    if split is not None:
        table = table.filter(pc.equal(table["split"], split))
    return Corpus(name, _large(table[texts]), table["label"].to_numpy(zero_copy_only=False).astype(str))


def newsgroups(folder: Path, quick: bool) -> tuple[Corpus, Corpus]:
    """20 Newsgroups as it is split by date, or made-up texts of its size."""
    train, test = (real(folder, "20newsgroups_bydate", split=split) for split in ("train", "test"))
    if train is None or test is None:
        return made(2 if quick else 22, seed=1), made(1 if quick else 14, seed=2)
    if quick:
        train, test = (one.take(np.arange(0, len(one.labels), 12)) for one in (train, test))
    return replace(train, name="20 Newsgroups"), replace(test, name="20 Newsgroups")


def cyrillic(folder: Path) -> Corpus | None:
    """Sentences of eight languages, ten to a document; the language is the class."""
    found = real(folder, "language_id_lingua")
    if found is None:
        return None
    texts, labels, random = [], [], np.random.default_rng(0)
    for language in LANGUAGES:
        own = found.take(random.permutation(np.flatnonzero(found.labels == language))).strings()
        parts = [" ".join(own[i : i + SENTENCES]) for i in range(0, len(own), SENTENCES)]
        texts += parts
        labels += [language] * len(parts)
    order = random.permutation(len(texts))
    return Corpus("Cyrillic sentences", pa.array(texts, pa.large_string()), np.array(labels)).take(order)


def made(megabytes: float, *, seed: int = 0, words: int = WORDS, script: str = "latin") -> Corpus:
    """Documents of made-up words whose frequencies fall off as Zipf and Mandelbrot say, in every class another way.

    One word in ten begins with a capital and ends in a full stop.
    """
    dictionary, share = _dictionary(words, script), 1 / (np.arange(words) + 2.7) ** 1.07
    falling, turns = np.cumsum(share / share.sum()), np.random.default_rng(1).integers(words, size=CLASSES)
    random = np.random.default_rng(seed)
    parts, labels, size = [], [], 0
    while size < megabytes * 1e6:
        y = random.integers(CLASSES, size=2_000)
        lengths = 1 + random.poisson(random.gamma(1.5, DOCUMENT / 1.5, len(y)))
        classes = np.repeat(y, lengths)
        rank = np.minimum(np.searchsorted(falling, random.random(len(classes))), words - 1)
        own = random.random(len(rank)) < OWN
        rank[own] = (rank[own] * 7_919 + turns[classes[own]]) % words
        rank[random.random(len(rank)) < 0.1] += words
        text = _joined(dictionary.take(pa.array(rank)), lengths)
        last = pc.binary_length(text).to_numpy().cumsum()
        some = int(np.searchsorted(last, megabytes * 1e6 - size)) + 1
        parts.append(text.slice(0, some))
        labels.append(y[:some])
        size += int(last[min(some, len(last)) - 1])
    name = "made-up words" if script == "latin" else "made-up Cyrillic"
    names = np.array([f"class {c:02}" for c in range(CLASSES)])
    return Corpus(name, pa.concat_arrays(parts), names[np.concatenate(labels)])


@cache
def _dictionary(words: int, script: str) -> Any:
    """Distinct words with a blank behind, the frequent ones shorter; then the same with a capital and a full stop."""
    random = np.random.default_rng(1)
    found: dict[str, None] = {}
    letters, shares = np.array(list(LETTERS)), SHARES / SHARES.sum()
    while len(found) < words:
        more = max(1_000, words - len(found))
        lengths = 2 + random.poisson(0.4 * np.log2(len(found) + np.arange(more) + 2))
        drawn = "".join(random.choice(letters, int(lengths.sum()), p=shares))
        ends = np.cumsum(lengths)
        found |= dict.fromkeys(drawn[a:b] for a, b in zip(ends - lengths, ends, strict=True))
    names = list(found)[:words]
    if script == "cyrillic":
        table = str.maketrans(CYRILLIC)
        names = list(dict.fromkeys(name.translate(table) for name in names))
        names += [f"{name}й{name}" for name in names[: words - len(names)]]
    return pa.array([*(f"{name} " for name in names), *(f"{name.title()}. " for name in names)], pa.large_string())


def _joined(words: Any, lengths: np.ndarray) -> Any:
    """Runs of words as documents: only the offsets change."""
    _, offsets, letters = words.buffers()
    starts = np.frombuffer(offsets, np.int64)[np.concatenate([[0], np.cumsum(lengths)])]
    return pa.Array.from_buffers(pa.large_string(), len(lengths), [None, pa.py_buffer(starts), letters])


def _large(column: Any) -> Any:
    return pc.cast(column, pa.large_string()).combine_chunks()


def saved(corpus: Corpus, path: Path) -> None:
    """Write it so that another process can map it into its memory."""
    table = pa.table({"text": corpus.texts, "label": pa.array(corpus.labels.tolist())})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def mapped(path: Path) -> tuple[Any, np.ndarray]:
    """Its texts, where they lie on disk, and its labels."""
    table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return table["text"].chunk(0), table["label"].to_numpy(zero_copy_only=False).astype(str)


def halves(labels: np.ndarray, splits: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Rows to learn from, two thirds of them, and rows to judge by: at random, the same every time."""
    for seed in range(splits):
        order = np.random.default_rng(seed).permutation(len(labels))
        cut = 2 * len(labels) // 3
        yield order[:cut], order[cut:]
