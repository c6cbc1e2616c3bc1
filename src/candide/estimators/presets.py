"""Recipes for texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from candide.errors import BadAnalyzer, BadPrior
from candide.events import Words
from candide.text.analyzer import Analyzer


@dataclass(frozen=True, slots=True)
class Preset:
    """What is decided where a user decides nothing."""

    event: Mapping[str, Any]
    calibrate: bool = True
    keep_rows: int = 2000
    ngrams: tuple[int, int] = (1, 1)
    priors: Any = None


PRESETS: dict[str, Preset] = {
    "default": Preset({}),
    "best": Preset({}, keep_rows=6000, ngrams=(1, 2)),
    "notes": Preset(
        {"kind": "multinomial", "values": "count", "virtual": 1.0, "fit": False}, calibrate=False, keep_rows=0,
        priors="counts",
    ),
}  # fmt: skip
OPTIONS = ("ngrams", "stop", "stem", "lemma", "forms")


def preset_of(name: Any) -> Preset:
    """A preset by its name."""
    if name not in PRESETS:
        raise BadPrior(f"preset is one of {', '.join(map(repr, PRESETS))}, not {name!r}.")
    return PRESETS[name]


def words_event(options: Any) -> Words:
    """The event model that the parameters of a classifier of texts ask for."""
    preset = preset_of(options.preset)
    chosen: dict[str, Any] = dict(preset.event)
    if options.model is not None:
        chosen |= {"kind": options.model}
    if options.values is not None:
        chosen |= {"values": options.values}
    if options.alpha is not None:
        if not isinstance(options.alpha, (int, float)):
            raise BadPrior(f"alpha is a number of virtual words, not {options.alpha!r}.")
        chosen |= {"virtual": float(options.alpha)}
    if options.tfidf is not None:
        if options.tfidf not in ("notes", "sklearn", "smooth"):
            raise BadPrior(f"tfidf is 'notes', 'sklearn' or 'smooth', not {options.tfidf!r}.")
        chosen |= {"inverse": options.tfidf, "idf": 1.0}
    return Words(
        analyzer_of(options, preset),
        least=options.min_df,
        most=options.max_df,
        vocabulary=options.max_words,
        **chosen,
    )


def analyzer_of(options: Any, preset: Preset) -> Analyzer:
    """What words are: an analyzer, its options as a mapping, or single options."""
    single = {name: getattr(options, name) for name in OPTIONS if getattr(options, name) is not None}
    if isinstance(options.analyzer, Analyzer):
        if single:
            raise BadAnalyzer(f"{', '.join(single)}: these belong to the analyzer, which is given already.")
        return options.analyzer
    if options.analyzer is not None and not isinstance(options.analyzer, Mapping):
        raise BadAnalyzer(f"analyzer is an Analyzer or a mapping of its options, not {options.analyzer!r}.")
    said = {**(options.analyzer or {}), **single}
    if said.get("unit", "words") == "words":
        said = {"ngrams": preset.ngrams, **said}
    try:
        return Analyzer.of(**said)
    except TypeError as error:
        raise BadAnalyzer(f"the analyzer cannot be made of {sorted(said)}: {error}.") from None
