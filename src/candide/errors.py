"""One class per mistake a user can make: what, where, which value, what to do now."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LEAVE_OUT = "leave such rows out: skip_bad_rows=True (--skip-bad-rows)"


class CandideError(ValueError):
    """The root of every error that candide raises on purpose."""


class UnknownColumn(CandideError):
    """A column was named that the data do not have."""

    @classmethod
    def named(cls, name: object, where: str, known: Iterable[object]) -> UnknownColumn:
        names = [str(column) for column in known]
        return cls(f"{name!r} is not in {where} (it has: {_some(names)}).{_did_you_mean(str(name), names)}")


class AmbiguousColumn(CandideError):
    """Two columns have one name."""

    @classmethod
    def among(cls, names: Iterable[object], where: str) -> AmbiguousColumn:
        listed = list(names)
        twice = next(name for name in listed if listed.count(name) > 1)
        return cls(f"{where} has {listed.count(twice)} columns named {twice!r}; give each a name of its own.")


class UnknownClass(CandideError):
    """A label was met that was not among the declared classes."""

    @classmethod
    def met(cls, labels: Iterable[object], known: Iterable[object]) -> UnknownClass:
        return cls(
            f"The target label(s) {_some(map(repr, labels))} in y do not exist in the initial classes "
            f"[{_some(map(repr, known))}]. Declare every class in the first call: partial_fit(X, y, classes=[...])."
        )

    @classmethod
    def asked(cls, label: object, known: Iterable[object]) -> UnknownClass:
        names = [str(name) for name in known]
        return cls(f"{label!r} is no class (there are: {_some(names)}).{_did_you_mean(str(label), names)}")


class BadLabels(CandideError):
    """The labels cannot name classes: missing, mixed beyond order, or of the wrong shape."""


class BadWeights(CandideError):
    """Sample weights that cannot be numbers of repetitions."""


class BadPrior(CandideError):
    """A prior with an impossible parameter, or one that does not fit what was counted."""


class BadTable(CandideError):
    """Something that is no table, or one whose rows or columns do not fit together."""


class BadValue(CandideError):
    """A cell that the column's event model cannot take."""


class BadShape(CandideError):
    """Data that are no table, or names that do not fit its columns."""


class NegativeValue(BadValue):
    """A cell below zero where things are counted."""

    @classmethod
    def passed_to(cls, model: str) -> NegativeValue:
        return cls(f"Negative values in data passed to {model} (input X); it counts, and counts start at 0.")


class NotFinite(CandideError):
    """A NaN or an infinity where a number is needed."""


class TooLarge(CandideError):
    """What was asked for would not fit."""


class TooSmall(CandideError):
    """Differences so small that their squares are zero."""


class MergeMismatch(CandideError):
    """Two statistics that do not count the same thing."""

    @classmethod
    def between(cls, one: object, other: object) -> MergeMismatch:
        return cls(f"cannot join {one} and {other}: they count different things.")


class NeverAdded(CandideError):
    """An attempt to take away what was not there."""

    @classmethod
    def taking(cls, what: str, label: object, where: str, held: float, asked: float) -> NeverAdded:
        return cls(
            f"class {label!r}{where} holds a {what} of {held:g}, asked to take away {asked:g}: "
            "that was never added (or was taken away before)."
        )


class ZeroVariance(CandideError):
    """A class in which a column never varies, under a prior that allows no spread."""


class SingularCovariance(CandideError):
    """A covariance matrix that cannot be inverted."""


class SingularWarning(UserWarning):
    """A covariance matrix that could be inverted only after its correlations were shrunk."""


class UndefinedPosterior(CandideError):
    """No class can have produced the row, so that Bayes' theorem divides zero by zero."""


class BadModel(CandideError):
    """A file that is no model, or not the one that was saved."""


class NotStorable(CandideError):
    """A value that has no place in a model file."""


class BadProbabilities(CandideError):
    """Numbers that cannot be the probabilities of classes."""


class BadCosts(CandideError):
    """Costs of decisions that do not fit the classes, or are no costs."""


class MissingExtra(CandideError):
    """A part of candide was used whose dependencies are not installed."""

    @classmethod
    def named(cls, what: str, package: str, extra: str) -> MissingExtra:
        return cls(f'{what} need(s) {package}, which is not installed: pip install "candide[{extra}]"')


class NotDrawn(CandideError):
    """Rows were to be drawn from a model that cannot make any."""


class NotLinear(CandideError):
    """Linear weights were asked of a model whose boundary is not a plane."""


class NotSupported(CandideError):
    """An engine was asked to count, or to add up, what it cannot."""


class BadSetting(CandideError):
    """An environment variable that says what cannot be."""


class NoSuchFile(CandideError):
    """A path that names no file."""

    @classmethod
    def named(cls, path: str, beside: Iterable[str] = ()) -> NoSuchFile:
        names = list(beside)
        return cls(f"there is no file {path!r}.{_did_you_mean(path, names)}")


class BadFile(CandideError):
    """A file that cannot be read as the table it should be, or cannot be written."""


class ColumnChanged(BadFile):
    """A column that holds something else than its first rows promised."""

    @classmethod
    def met(cls, place: str, column: str, kind: str, text: str, remedy: str) -> ColumnChanged:
        mark = f"name what stands for a gap: missing=[{shortened(text)}] (--na {shortened(text)}), "
        gap = mark if remedy == "string" else ""
        return cls(
            f"{place}: column {column!r} holds {shortened(text)}, its first rows held nothing but {kind}. "
            f'Say what it is: types={{{column!r}: "{remedy}"}} (--types {column}={remedy}), {gap}or {LEAVE_OUT}.'
        )


class BadAnalyzer(CandideError):
    """Words cannot be made of texts in the way that was asked for."""

    @classmethod
    def unknown(cls, what: str, name: object, known: Iterable[str]) -> BadAnalyzer:
        names = list(known)
        return cls(f"{what}: {name!r} is none of {_some(names, 40)}.{_did_you_mean(str(name), names)}")


class BadVocabulary(CandideError):
    """Words that cannot be numbered: one stands twice, or is no text."""


class UnknownExample(CandideError):
    """A worked example was asked for that there is not."""

    @classmethod
    def named(cls, name: str, known: Iterable[str]) -> UnknownExample:
        return cls(f"there is no example {name!r}; there are {', '.join(known)}.")


def shortened(text: str, most: int = 60) -> str:
    """A text from the user's data, quoted, its end left out where it is long."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def _some(names: Iterable[str], most: int = 12) -> str:
    listed = list(names)
    return ", ".join(listed[:most]) + (f", and {len(listed) - most} more" if len(listed) > most else "")


def _did_you_mean(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
