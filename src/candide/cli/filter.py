"""candide filter"""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from candide.cli import say
from candide.cli.exits import silence
from candide.cli.models import Saved
from candide.errors import BadModel, BadValue, UnknownClass

if TYPE_CHECKING:
    from candide.classifier import TableModel

CODES = {"spam": 0, "ham": 1, "unsure": 2}
FAILED = 3
ABOVE, BELOW = 0.9, 0.1
LEAST = 1e-4  # what is shown is never certain
WORDS = 8  # that are shown


@dataclass(frozen=True, slots=True)
class Verdict:
    """spam, ham or unsure, and why: P(spam) and the words that say most, or that there was an error."""

    what: str
    p: float | None = None
    words: tuple[str, ...] = ()

    @property
    def value(self) -> list[str]:
        """As it stands in the head of the message."""
        from candide.data.mail.marking import shown

        if self.p is None:
            return [self.what, "error"]
        words = shown(self.words)
        return [self.what, f"p={min(max(self.p, LEAST), 1 - LEAST):.4f}", *([f"words={words}"] if words else [])]


class Safe(TyperCommand):
    """A verb in the pipe that mail comes through: a command that is wrong must not swallow the message."""

    def make_context(self, *given: Any, **options: Any) -> Any:
        try:
            return super().make_context(*given, **options)
        except Exception as error:
            if getattr(error, "exit_code", None) != 2:  # help was asked for
                raise
            say.note(f"error: {getattr(error, 'format_message', error.__str__)()}")
            _write(sys.stdin.buffer.read())
            raise typer.Exit(FAILED) from None


def filter(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    spam_above: Annotated[
        float | None, typer.Option("--spam-above", metavar="P", help=f"Spam from this probability on ({ABOVE}).")
    ] = None,
    ham_below: Annotated[
        float | None, typer.Option("--ham-below", metavar="P", help=f"Ham up to this probability of spam ({BELOW}).")
    ] = None,
    cost: Annotated[
        float | None,
        typer.Option("--cost", metavar="N", help="A false alarm is as bad as N missed spams: nothing is unsure."),
    ] = None,
    spam_class: Annotated[
        str | None, typer.Option("--spam-class", metavar="CLASS", help="The class that is spam, if not called so.")
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", "-e", help="Leave with 0 unless there was an error: for procmail.")
    ] = False,
    dry: Annotated[bool, typer.Option("--dry", help="Print the verdict instead of the message.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing: the exit code tells.")] = False,
) -> None:
    """Pass a message through, with a line X-Candide: spam, ham or unsure in its head; the rest stays as it is.

    Exit codes are those of mail filters: 0 spam, 1 ham, 2 unsure, 3 an error, after which the message still comes out.

    \b
    candide filter mail.candide < message > message.marked
    """
    message = sys.stdin.buffer.read()
    try:
        above, below = _limits(spam_above, ham_below, cost)
        verdict = _judged(Saved.load(model), message, spam_class, above, below)
    except Exception as error:  # whatever it is, mail must not be lost
        say.note(f"error: {' '.join(str(error).split()) or type(error).__name__}")
        if os.environ.get("CANDIDE_DEBUG", "") not in ("", "0"):
            traceback.print_exception(error)
        verdict = Verdict("unsure")
    if dry:
        say.out("; ".join(verdict.value))
    elif not quiet and not _write(_marked(message, verdict)):
        raise typer.Exit(FAILED)
    raise typer.Exit(FAILED if verdict.p is None else 0 if exit_zero else CODES[verdict.what])


def _limits(above: float | None, below: float | None, cost: float | None) -> tuple[float, float]:
    """Spam from which probability on, ham up to which; with a cost of false alarms, the least expected cost decides."""
    if cost is not None:
        if above is not None or not 0 < cost < float("inf"):
            raise BadValue("--cost takes a number above 0, and stands in place of --spam-above.")
        above = cost / (cost + 1)
        below = above if below is None else below
    above = ABOVE if above is None else above
    below = min(BELOW, above) if below is None else below
    if not 0 <= below <= above <= 1:
        raise BadValue(f"0 ≤ --ham-below ≤ --spam-above ≤ 1 must hold, and {below:g} and {above:g} do not.")
    return above, below


def _judged(saved: Saved, message: bytes, spam_class: str | None, above: float, below: float) -> Verdict:
    import pyarrow as pa

    from candide.data.mail import as_text

    table = saved.table
    texts = table.schema.texts
    if len(texts) != 1:
        raise BadModel(f"{saved.path} has {len(texts) or 'no'} columns of texts, and a message is one.")
    place = _place_of_spam(table, spam_class)
    text = as_text(message)
    _, posterior = table.decide(table.frame(pa.table({texts[0]: pa.array([text], pa.large_string())})))
    p = float(posterior[0, place])
    what = "spam" if p >= above else "ham" if p <= below else "unsure"
    return Verdict(what, p, _telling(table, texts[0], text, place, what))


def _place_of_spam(table: TableModel, spam_class: str | None) -> int:
    names = [str(label) for label in table.classes]
    if spam_class is None and "spam" not in names:
        raise UnknownClass(f"no class is called spam: say which of {', '.join(names)} is (--spam-class).")
    if (spam_class or "spam") not in names:
        raise UnknownClass.asked(spam_class, names)
    return names.index(spam_class or "spam")


def _telling(table: TableModel, column: str, text: str, place: int, what: str) -> tuple[str, ...]:
    """The words that speak most for the verdict; where there is none, those that speak most at all."""
    from candide.scorecard import WordSum

    sums: dict[str, float] = {}
    for term in table.model.scorecard.terms:
        if isinstance(term, WordSum) and term.columns[0] == column:
            for word, x, weights in term.told(text)[0]:
                others = (weights.sum() - weights[place]) / max(len(weights) - 1, 1)
                sums[word] = sums.get(word, 0.0) + float(x * (weights[place] - others))
    sign = {"spam": 1, "ham": -1}.get(what)
    weight = {word: abs(said) if sign is None else sign * said for word, said in sums.items()}
    return tuple(sorted((word for word in weight if weight[word] > 0), key=lambda word: (-weight[word], word))[:WORDS])


def _marked(message: bytes, verdict: Verdict) -> bytes:
    """The message with the verdict in its head, or as it is, if even that goes wrong."""
    from candide.data.mail.marking import marked

    try:
        return marked(message, verdict.value)
    except Exception:
        return message


def _write(message: bytes) -> bool:
    """Print a message; whether that could be done."""
    try:
        sys.stdout.buffer.write(message)
        sys.stdout.buffer.flush()
    except OSError as error:
        silence()
        say.note(f"error: standard output: {error.strerror}")
        return False
    return True
