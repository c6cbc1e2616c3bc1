"""How much spam is caught, at equal false alarms, beside bogofilter?"""

import csv
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.utils import mktime_tz, parsedate_tz
from pathlib import Path

import numpy as np
import pyarrow.parquet

from benchmarks.race import MeasureRow, Options, Row, Table

TITLE = "Spam"
QUESTION = """\
The public mail of SpamAssassin, 6,046 messages from June 2001 to December 2002, in the order in which they arrived:
both learn the first half and filter the second, which has new senders, new spam, and less of it. Both read the same
mbox files with their own defaults: `candide train` and `candide predict`, `bogofilter -M` with `-n`, `-s` and `-TT`;
seconds are of whole processes, the best of several. Spam caught is what lies above the score that the stated share of
ham lies above, so that the limits of either do not matter. bogofilter comes by `apt-get install bogofilter`; its scores
are not meant as probabilities, so that their log-loss says little."""

ALARMS = (0.001, 0.005, 0.01)
WHEN = (
    re.compile(r"^Received:(?:.|\n[ \t])*?;([^;\n]*(?:\n[ \t][^;\n]*)*)$", re.MULTILINE),  # the last host's
    re.compile(r"^From \S+\s+(.*)"),
    re.compile(r"^(?:Delivery-)?Date:(.*)", re.MULTILINE),
)
FROM = re.compile(rb"^(>*From )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Absent:
    """A line that says why there is no result."""

    why: str

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return ("skipped",)

    @property
    def missed(self) -> bool:
        """Nothing was tried."""
        return False

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (self.why,)


@dataclass(frozen=True, slots=True)
class Filtered:
    """Scores of the messages of a mailbox in order, and the seconds of learning and filtering."""

    scores: np.ndarray
    learning: float
    filtering: float
    single: float
    size: float

    def caught(self, spam: np.ndarray, alarms: float) -> float:
        """The share of spam above the score that the given share of ham lies above."""
        ham = np.sort(self.scores[~spam])[::-1]
        return float((self.scores[spam] > ham[int(alarms * len(ham))]).mean())

    def surprise(self, spam: np.ndarray) -> float:
        """Log-loss in nats, of scores no nearer to 0 and 1 than 10⁻⁶."""
        right = np.where(spam, self.scores, 1 - self.scores)
        return float(-np.log(np.clip(right, 1e-6, 1)).mean())

    def best(self, other: "Filtered") -> "Filtered":
        """The smaller of each time."""
        times = (min(a, b) for a, b in ((self.learning, other.learning), (self.filtering, other.filtering),
                                        (self.single, other.single)))  # fmt: skip
        return Filtered(self.scores, *times, self.size)


def arrival(text: str) -> float:
    """When a message arrived: as the last host says, else as the mailbox, else as the sender."""
    head = text.partition("\n\n")[0]
    for pattern in WHEN:
        found = pattern.search(head)
        when = parsedate_tz(" ".join(found[1].split())) if found else None
        if when is not None:
            return float(mktime_tz(when))
    return 0.0


def mail(path: Path, options: Options) -> tuple[list[bytes], np.ndarray]:
    """Messages by arrival, and which are spam."""
    table = pyarrow.parquet.read_table(path, columns=["text", "label"])
    texts, labels = table["text"].to_pylist(), np.array(table["label"].to_pylist())
    order = np.argsort([arrival(text) for text in texts], kind="stable")[:: options.size(1, 10)]
    return [texts[i].encode("latin-1", "replace") for i in order], labels[order] == "spam"


def boxed(path: Path, messages: Sequence[bytes]) -> Path:
    """An mbox."""
    with path.open("wb") as file:
        for message in messages:
            start, rest = (message.split(b"\n", 1) if message.startswith(b"From ") else
                           (b"From nobody Thu Jan  1 00:00:00 2004", message))  # fmt: skip
            file.write(start + b"\n" + FROM.sub(rb">\1", rest) + b"\n\n")
    return path


def run(words: Sequence[object], source: Path, allowed: Sequence[int] = (0,)) -> tuple[float, str]:
    """Seconds of a process, and what it printed."""
    began = time.perf_counter()
    with source.open("rb") as file:
        done = subprocess.run([str(word) for word in words], stdin=file, capture_output=True, check=False)
    taken = time.perf_counter() - began
    if done.returncode not in allowed:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return taken, done.stdout.decode()


def candide(folder: Path) -> Filtered:
    """By our command."""
    model, command = folder / "mail.candide", [sys.executable, "-m", "candide"]
    ham, spam, rest, one = (folder / name for name in ("ham.mbox", "spam.mbox", "rest.mbox", "one.eml"))
    learning, _ = run([*command, "train", "--ham", ham, "--spam", spam, "-o", model], ham)
    filtering, said = run([*command, "predict", model, rest, "--proba"], rest)
    single, _ = run([*command, "filter", "-e", model], one)
    scores = [float(row["P(spam)"]) for row in csv.DictReader(said.splitlines())]
    return Filtered(np.array(scores), learning, filtering, single, model.stat().st_size / 1e6)


def bogofilter(folder: Path) -> Filtered:
    """By bogofilter, with its words in a folder of their own."""
    words = folder / "words"
    shutil.rmtree(words, ignore_errors=True)
    words.mkdir()
    command = ["bogofilter", "-C", "-d", words]
    ham, spam, rest, one = (folder / name for name in ("ham.mbox", "spam.mbox", "rest.mbox", "one.eml"))
    learning = run([*command, "-n", "-M"], ham)[0] + run([*command, "-s", "-M"], spam)[0]
    codes = (0, 1, 2)
    filtering, said = run([*command, "-M", "-TT"], rest, codes)
    single, _ = run([*command, "-p", "-e"], one, codes)
    scores = [float(line.split()[-1]) for line in said.splitlines() if line.strip()]
    size = sum(file.stat().st_size for file in words.iterdir()) / 1e6
    return Filtered(np.array(scores), learning, filtering, single, size)


def raced(folder: Path, truth: np.ndarray, learnt: int, rounds: int) -> Iterator[MeasureRow]:
    """Both in turns."""
    contestants: tuple[Callable[[Path], Filtered], ...] = (candide, bogofilter)
    found: dict[str, Filtered] = {}
    for _ in range(rounds):
        for one in contestants:
            result = one(folder)
            found[one.__name__] = found[one.__name__].best(result) if one.__name__ in found else result
    ours, theirs = found["candide"], found["bogofilter"]
    if not len(ours.scores) == len(theirs.scores) == len(truth):
        raise AssertionError(f"{len(truth)} messages, {len(ours.scores)} and {len(theirs.scores)} scores")
    number = f"{int(truth.sum()):,} spam, {int((~truth).sum()):,} ham"
    for alarms in ALARMS:
        yield MeasureRow(f"spam caught at {alarms:.1%} false alarms", f"{ours.caught(truth, alarms):.1%}",
                         f"{theirs.caught(truth, alarms):.1%}", "", None, number)  # fmt: skip
    yield MeasureRow("log-loss (nats)", f"{ours.surprise(truth):.4f}", f"{theirs.surprise(truth):.4f}", "", None,
                     "scores no nearer to 0 and 1 than 1e-6")  # fmt: skip
    for what, count, a, b in (("learnt", learnt, ours.learning, theirs.learning),
                              ("filtered", len(truth), ours.filtering, theirs.filtering)):  # fmt: skip
        yield MeasureRow(f"messages {what} a second", f"{count / a:,.0f}", f"{count / b:,.0f}", "", None,
                         f"{a:.2f} / {b:.2f} s for {count:,}, start of the process included")  # fmt: skip
    yield MeasureRow(
        "one message, a process", f"{ours.single * 1e3:,.0f} ms", f"{theirs.single * 1e3:,.0f} ms", "", None
    )
    yield MeasureRow("on disk", f"{ours.size:.1f} MB", f"{theirs.size:.1f} MB", "", None)


def tables(options: Options) -> Iterator[Table]:
    """One table, or why there is none."""
    path = options.data.parent / "text" / "spamassassin.parquet"
    rows: tuple[Row, ...]
    if not path.exists():
        rows = (Absent(f"there is no {path.name} in the folder text beside {options.data.name}"),)
    elif shutil.which("bogofilter") is None:
        rows = (Absent("bogofilter is not installed: apt-get install bogofilter"),)
    else:
        messages, spam = mail(path, options)
        half = len(messages) // 2
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            boxed(folder / "ham.mbox", [messages[i] for i in range(half) if not spam[i]])
            boxed(folder / "spam.mbox", [messages[i] for i in range(half) if spam[i]])
            boxed(folder / "rest.mbox", messages[half:])
            (folder / "one.eml").write_bytes(messages[half])
            rows = tuple(raced(folder, spam[half:], half, options.rounds))
    yield Table("The second half of SpamAssassin's mail, by the first", rows)
