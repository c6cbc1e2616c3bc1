"""candide show"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from candide.cli import say, show_words
from candide.cli.models import Saved
from candide.cli.options import Json
from candide.errors import UnknownColumn

if TYPE_CHECKING:
    from candide.explain import Profile

CLASSES = 6  # side by side


def show(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    column: Annotated[str | None, typer.Argument(metavar="COLUMN", help="One column, in full.")] = None,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Columns (or words of a class) to show, the most telling first.")
    ] = 20,
    levels: Annotated[int, typer.Option("--levels", min=0, help="Levels of each to show, the weightiest first.")] = 3,
    json: Json = False,
) -> None:
    """What a model has learnt: how frequent classes are, which columns tell them apart, and how.

    \b
    candide show bank.candide
    candide show bank.candide job
    """
    saved = Saved.load(model)
    found = saved.table.profiles()
    if column is None:
        if json:
            say.out_json(_plain_model(saved, found, most))
        else:
            say.out(_model(saved, found[:most], levels, len(found)))
        return
    if column in saved.table.texts:
        if json:
            say.out_json(show_words.plain(saved, column, most))
        else:
            say.out(show_words.in_full(saved, column, most))
        return
    one = next((profile for profile in found if str(profile.column) == column), None)
    if one is None:
        raise _unknown(saved, column, found)
    if json:
        say.out_json(_plain_profile(one))
    else:
        say.out(_column(one))


def _unknown(saved: Saved, column: str, found: list[Profile]) -> UnknownColumn:
    schema = saved.table.schema
    names = [*(str(profile.column) for profile in found), *saved.table.texts]
    if column in schema and not any(name == column for name in names):
        parts = [name for name in (*schema[column].labels, *schema[column].numbers) if name in names]
        why = f"see {', '.join(map(repr, parts))}" if parts else schema[column].why or "it never varies"
        return UnknownColumn(f"column {column!r} has no evidence of its own: {why}.")
    return UnknownColumn.named(column, "the model", names)


def _model(saved: Saved, found: list[Profile], levels: int, total: int) -> str:
    weights = saved.table.model.tally.seen.weights
    calibration = saved.table.model.calibration
    said = [f"{saved.path}: {weights.sum():,.0f} rows, predicts {say.name(saved.target)}"]
    if not calibration.is_none:
        said.append(f"calibrated: evidence counts {calibration.temperature:.3f} times")
    rows = [
        (say.name(label), f"{weight:,.0f}", say.number(float(share)))
        for label, weight, share in zip(saved.table.classes, weights, saved.table.model.class_prior, strict=True)
    ]
    classes = say.table(("class", "rows", "prior"), rows[:20], numbers=(1, 2))
    lines = [
        (say.name(one.column), one.kind, f"{len(one.levels):,}", say.number(one.information), _telling(one, levels))
        for one in found
    ]
    heads = ("column", "as", "levels", "bits", f"what tells most ({_direction(saved)}, in bits)")
    columns = [say.table(heads, lines, numbers=(2, 3))] if lines else []
    more = [f"and {total - len(found)} columns that say less"] if total > len(found) else []
    out = [one.name for one in saved.table.schema if not one.is_used]
    left = [f"left out: {', '.join(map(say.name, out[:20]))}"] if out else []
    blocks = ["\n".join(said), classes, "\n".join([*columns, *more]), *show_words.overview(saved), *left]
    return "\n\n".join(filter(None, blocks))


def _direction(saved: Saved) -> str:
    names = [say.name(label) for label in saved.table.classes]
    return f"+ for {names[1]}, − for {names[0]}" if len(names) == 2 else "for one class over the average"


def _telling(one: Profile, levels: int) -> str:
    """The levels that tell most, weighed by how often they occur: in two classes by the log-odds of the second."""
    import numpy as np

    bits = one.centred
    if not len(bits) or bits.shape[1] < 2:
        return ""
    strength = np.ptp(bits, axis=1) if bits.shape[1] == 2 else bits.max(axis=1)
    order = np.argsort(-strength * one.rows, kind="stable")[:levels].tolist()
    if bits.shape[1] == 2:
        return "; ".join(f"{say.name(one.levels[i])} {bits[i, 1] - bits[i, 0]:+.2f}" for i in order)
    return "; ".join(
        f"{say.name(one.levels[i])} {bits[i].max():+.2f} {say.name(one.classes[int(bits[i].argmax())])}" for i in order
    )


def _column(one: Profile) -> str:
    names = [say.name(label) for label in one.classes]
    shown = list(range(min(len(names), CLASSES)))
    heads = ["level", "rows", *(f"P({names[c]})" for c in shown), *(f"{names[c]}, bits" for c in shown)]
    shares, bits, rows = one.posterior, one.centred, one.rows
    lines = [
        [
            say.name(level),
            f"{rows[i]:,.0f}",
            *(say.number(float(shares[i, c])) for c in shown),
            *(f"{bits[i, c]:+.3f}" for c in shown),
        ]
        for i, level in enumerate(one.levels)
    ]
    title = f"{say.name(one.column)}: {one.kind}, says {one.information:.4f} bits of the class on average"
    below = "P: by this column alone; bits: what a level adds for a class over the average class"
    return "\n".join([say.table(heads, lines, numbers=range(1, len(heads)), title=title), below])


def _plain_model(saved: Saved, found: list[Profile], most: int) -> dict[str, Any]:
    model = saved.table.model
    return {
        "model": saved.path,
        "target": saved.target,
        "rows": float(model.tally.seen.weights.sum()),
        "about": dict(saved.about),
        "temperature": model.calibration.temperature,
        "classes": [
            {"label": label, "rows": rows, "prior": prior}
            for label, rows, prior in zip(
                saved.table.classes, model.tally.seen.weights.tolist(), model.class_prior.tolist(), strict=True
            )
        ],
        "columns": [_plain_profile(one) for one in found],
        "texts": [show_words.plain(saved, column, most) for column in saved.table.texts],
        "left_out": [{"column": one.name, "why": one.why} for one in saved.table.schema if not one.is_used],
    }


def _plain_profile(one: Profile) -> dict[str, Any]:
    rows = zip(one.levels, one.counts.tolist(), one.posterior.tolist(), one.centred.tolist(), strict=True)
    return {
        "column": one.column,
        "kind": one.kind,
        "information_bits": one.information,
        "classes": list(one.classes),
        "levels": [
            {"level": level, "rows": counts, "posterior": posterior, "bits": bits}
            for level, counts, posterior, bits in rows
        ],
    }
