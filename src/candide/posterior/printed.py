"""A report as text, as Markdown and as plain values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from candide.posterior.measures import Report

NOTHING = "–"  # where there is nothing to say
MOST_CLASSES = 10  # in a matrix that people read; of more classes, as many mistakes are listed
WIDEST = 24

TITLES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "log_loss": "log-loss (nats)",
    "brier": "Brier score",
    "ece": "calibration error",
    "auc": "AUC",
}

# A heading and lines of cells; the first line heads the columns.
Section = tuple[str, list[list[str]]]


def text(report: Report) -> str:
    """Sections as aligned columns."""
    return "\n\n".join(aligned(heading, lines) for heading, lines in _sections(report))


def markdown(report: Report) -> str:
    """Sections as tables."""
    return "\n\n".join(table(heading, lines) for heading, lines in _sections(report))


def plain(report: Report) -> dict[str, Any]:
    """What a report says, in values that JSON has."""
    bins = report.reliability
    shares = {"predicted": bins.predicted, "right": bins.right}
    return {
        "rows": report.rows,
        "weight": report.weight,
        **report.measures,
        "auc_error": report.auc_error,
        "majority": report.majority,
        "classes": [plain_label(label) for label in report.classes],
        "precision": list(report.precision),
        "recall": list(report.recall),
        "confusion": report.confusion.tolist(),
        "reliability": {
            "edges": bins.edges.tolist(),
            "counts": bins.counts.tolist(),
            **{name: [None if np.isnan(x) else x for x in values.tolist()] for name, values in shares.items()},
        },
    }


def json_of(values: dict[str, Any]) -> str:
    """JSON that any reader takes: no NaN."""
    return json.dumps(values, ensure_ascii=False, allow_nan=False, indent=2)


def number(value: float | None, digits: int = 4) -> str:
    """A measure, or a dash."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def aligned(heading: str, lines: list[list[str]]) -> str:
    """Lines of cells below a heading: the first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = []
    for first, *rest in lines:
        numbers = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        rows.append("  ".join([first.ljust(widths[0]), *numbers]))
    return "\n".join([heading] * bool(heading) + [row.rstrip() for row in rows])


def table(heading: str, lines: list[list[str]]) -> str:
    """Lines of cells as a Markdown table."""
    rows = ["| " + " | ".join(cell.strip().replace("|", r"\|") for cell in line) + " |" for line in lines]
    rows.insert(1, "|" + "|".join(["---"] + ["---:"] * (len(lines[0]) - 1)) + "|")
    return "\n".join(([f"**{heading}**", ""] if heading else []) + rows)


def shown(label: object) -> str:
    """A label in one short line."""
    words = " ".join(str(label).split()) or repr(label)
    return words if len(words) <= WIDEST else words[: WIDEST - 1] + "…"


def plain_label(label: Any) -> Any:
    """A label as JSON has it."""
    return label if isinstance(label, (str, bool, int, float)) else str(label)


def _sections(report: Report) -> list[Section]:
    confusion = _matrix(report) if len(report.classes) <= MOST_CLASSES else _mistakes(report)
    return [("", _measures(report)), ("", _per_class(report)), *([confusion] if len(confusion[1]) > 1 else [])]


def _measures(report: Report) -> list[list[str]]:
    lines = [["measure", "value"], ["rows", f"{report.rows:,}"]]
    if report.weight != report.rows:
        lines.append(["weight", _amount(report.weight)])
    for name, value in report.measures.items():
        lines.append([TITLES[name], number(value)])
        if name == "accuracy" and report.majority is not None:
            most = report.classes[int(report.confusion.sum(axis=1).argmax())]
            lines.append([f"  always {shown(most)!r}", number(report.majority)])
    if report.auc_error > 0:
        lines[-1][1] += f" ± {report.auc_error:.1g}"
    return lines


def _per_class(report: Report) -> list[list[str]]:
    lines = [["class", "rows", "precision", "recall"]]
    seen = report.confusion.sum(axis=1)
    for label, rows, precision, recall in zip(report.classes, seen, report.precision, report.recall, strict=True):
        lines.append([shown(label), _amount(rows), number(precision), number(recall)])
    return lines


def _matrix(report: Report) -> Section:
    names = [shown(label) for label in report.classes]
    lines = [["true class", *names]]
    lines += [[name, *map(_amount, row)] for name, row in zip(names, report.confusion, strict=True)]
    return "rows by true class (down) and decided class (across)", lines


def _mistakes(report: Report) -> Section:
    wrong = report.confusion.copy()
    np.fill_diagonal(wrong, 0.0)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_CLASSES]
    worst = [divmod(int(place), len(wrong)) for place in order]
    lines = [["true class", "decided", "rows"]]
    lines += [
        [shown(report.classes[t]), shown(report.classes[d]), _amount(wrong[t, d])] for t, d in worst if wrong[t, d]
    ]
    return "the most frequent mistakes", lines


def _amount(weight: float) -> str:
    return f"{weight:,.0f}" if weight == round(weight) else f"{weight:,.2f}"
