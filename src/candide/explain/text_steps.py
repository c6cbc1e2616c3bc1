"""How a text is worked out on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from candide.counts.bag import Bag
from candide.counts.occurrences import DOCUMENTS, SHARES
from candide.events import Words
from candide.events.words import COLUMN
from candide.explain import figures
from candide.explain.bags import pair_places, seen_in
from candide.explain.block import Block, Row, cell
from candide.explain.exact import Virtual, as_written, fractions
from candide.explain.factors import Factor, Step, shares_of
from candide.labels import is_missing
from candide.scorecard import WordSum

FEW = 4096  # words of a vocabulary that are each a factor, whatever the text
POWER_AT_MOST = 4096  # of a share that is multiplied out
UNSEEN = "Never seen, and therefore ignored: {}."
LENGTHENING = "Never seen: {}. Such words say nothing but that the text is so much longer."
STOPPED = "Stop words, left out: {}."
FORMED = "Read as the form that was counted: {}."
WEIGHED = (
    "A word's factor is no single share of counts here (it is weighed by kind, length and strength, see the reference "
    "of Words); the counts are in the explanation."
)


def of_text(block: Block, row: Row) -> Iterator[Step]:
    """Word by word: a share of counts where the event model is one of counts, else the evidence of its term."""
    (column,), event = block.columns, block.event
    text = cell(row, column)
    if is_missing(text):
        remark = f"{figures.name(column)} is missing: no evidence."
        yield Step.nothing(column, text, figures.name(column), block.k, remark)
        return
    bag = event.chosen(block.statistic.bags[0])
    prefix = "" if len(row) == 1 else f"{figures.name(column)}: "
    way = _counted if _is_counted(event) else _yes_or_no if _is_short(event, bag) else _told
    yield from way(block, bag, str(text), prefix)
    yield from _aside(block, bag, str(text), weighed=way is _told)


def _is_counted(event: Words) -> bool:
    """Whether a word's evidence is log (n + a)/(N + aV)."""
    plain = type(event) is Words and event.kind == "multinomial" and event.idf == 0
    return plain and COLUMN[event.values] != SHARES and event.virtual is not None


def _is_short(event: Words, bag: Bag) -> bool:
    return event.kind == "bernoulli" and len(bag.vocabulary) <= FEW


def _counted(block: Block, bag: Bag, text: str, prefix: str) -> Iterator[Step]:
    """n of N words are this one, as often as it occurs; pairs of neighbours are words of the same vocabulary."""
    event, ids, number = block.event, _ids(block, bag, text), COLUMN[block.event.values]
    parts = [(bag.words, ids, bag.vocabulary.__getitem__)]
    if event.in_pairs:
        places = pair_places(bag, np.array(list(pairwise(ids)), dtype=np.int64).reshape(-1, 2))
        parts.append((bag.twos, places.tolist(), partial(bag.named, "twos")))
    totals = sum((fractions(held.by_class()[:, number]) for held, *_ in parts), fractions(np.zeros(block.k)))
    a = as_written(event.virtual)
    virtual = Virtual(a, a * (len(bag.vocabulary) + (len(bag.pairs) if event.in_pairs else 0)))
    for held, things, name in parts:
        times = {thing: n for thing, n in Counter(things).items() if thing >= 0}
        counts = fractions(seen_in(held, np.array([*times], dtype=np.int64), number))
        for (thing, n), seen in zip(times.items(), counts, strict=True):
            factors = _shares(virtual, seen, totals, n if event.values == "count" else 1)
            yield Step(block.columns[0], name(thing), prefix + figures.name(name(thing)), factors)


def _shares(virtual: Virtual, seen: Any, totals: Any, power: int) -> tuple[Factor, ...]:
    values = (seen + virtual.each) / (totals + virtual.under)
    if power <= POWER_AT_MOST:
        return shares_of(virtual, 0, values, seen, totals, power)
    return tuple(Factor.density(power * float(np.log(float(value))), f"θ^{power}") for value in values)


def _yes_or_no(block: Block, bag: Bag, text: str, prefix: str) -> Iterator[Step]:
    """n of N texts have the word, or have it not: each word of the vocabulary, the ones that occur first."""
    a = as_written(block.event.virtual or 1.0)
    virtual, documents = Virtual(a, 2 * a), fractions(bag.documents)
    here = dict.fromkeys(place for place in _ids(block, bag, text) if place >= 0)
    absent = [place for place in range(len(bag.vocabulary)) if place not in here]
    having = fractions(seen_in(bag.words, np.array([*here, *absent], dtype=np.int64), DOCUMENTS))
    for place, yes in zip([*here, *absent], having, strict=True):
        word = bag.vocabulary[place]
        seen, said = (yes, word) if place in here else (documents - yes, f"without {word}")
        values = (seen + a) / (documents + virtual.under)
        factors = shares_of(virtual, 0, values, seen, documents)
        yield Step(block.columns[0], word, prefix + figures.name(said), factors)


def _told(block: Block, bag: Bag, text: str, prefix: str) -> Iterator[Step]:
    """Any other: the evidence of each word in nats, as the power of e that it is, and what the whole text says."""
    term, column = block.term, block.columns[0]
    assert isinstance(term, WordSum), "texts have no other terms"
    words, length = term.told(text)
    whole = term.whole(length)
    for word, x, weights in words:
        yield Step(column, word, prefix + figures.name(word), _powers(x * weights))
    if whole.any():
        yield Step(column, None, f"{figures.name(column)} as a whole", _powers(whole))


def _powers(nats: Any) -> tuple[Factor, ...]:
    return tuple(Factor.density(float(part), f"e^{part:.6g}") for part in nats)


def _aside(block: Block, bag: Bag, text: str, weighed: bool) -> Iterator[Step]:
    """What of the text does not enter the product, and why."""
    analyzer, column = block.event.analyzer, block.columns[0]
    said = []
    if analyzer.unit == "words":
        forms = {word: analyzer.form(word) for word in analyzer.words(text)}
        said.append((STOPPED, [word for word, form in forms.items() if form is None]))
        said.append((FORMED, [f"{word} as {form}" for word, form in forms.items() if form not in (None, word)]))
    tokens = analyzer.single(text)
    unseen = [token for token, place in zip(tokens, _ids(block, bag, text), strict=True) if place < 0]
    said.append((LENGTHENING if weighed else UNSEEN, list(dict.fromkeys(unseen))))
    for sentence, names in said:
        if names:
            remark = sentence.format(figures.some(list(map(figures.name, names))))
            yield Step.nothing(column, None, "", block.k, remark)
    if weighed:
        yield Step.nothing(column, None, "", block.k, WEIGHED)


def _ids(block: Block, bag: Bag, text: str) -> list[int]:
    found: list[int] = bag.vocabulary.codes(block.event.analyzer.single(text)).tolist()
    return found
