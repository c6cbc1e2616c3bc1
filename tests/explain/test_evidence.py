"""The sum before it is summed, in the units and layouts that a reader may want."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candide.classifier import Model, learn
from candide.data import Table
from candide.data.examples import EXAMPLES
from candide.events import Bernoulli, Categorical, Event, FullJoint
from candide.explain import Evidence
from candide.priors import Dirichlet, MaximumLikelihood

ECONOMY, TENNIS = EXAMPLES["D3"], EXAMPLES["D2"]


def model_of(example: str, event: Event) -> Model:
    return learn({EXAMPLES[example].columns: event}, EXAMPLES[example].table())


def with_cells(model: Model, table: Table) -> Evidence:
    return model.evidence(table).with_cells(model.scorecard, table.cells)


def rows(*cells: tuple[object, ...], of: str = "D2") -> Table:
    return Table.of(EXAMPLES[of].columns, cells)


@pytest.mark.parametrize(("unit", "size"), [("bits", np.log(2)), ("nats", 1.0), ("decibans", np.log(10) / 10)])
def test_units_are_multiples_of_each_other(unit: str, size: float) -> None:
    evidence = model_of("D2", Categorical()).evidence(TENNIS.queries())
    odds = evidence.log_joint[0, 0] - evidence.log_joint[0, 1]
    last = evidence.text(unit=unit).splitlines()[-1].split()  # type: ignore[arg-type]
    assert (float(last[1]), last[2]) == (pytest.approx(odds / size, abs=5e-4), unit)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(*[st.sampled_from("uvw")] * 2, st.sampled_from("abcd")), min_size=2, max_size=12), st.booleans()
)
def test_evidence_over_the_average_class_adds_up(listed: list[tuple[str, ...]], smoothed: bool) -> None:
    event = Categorical(Dirichlet(1) if smoothed else MaximumLikelihood())
    model = learn({("x", "y"): event}, Table.of("x y label", listed, target="label"))
    evidence = model.evidence(Table.of("x y", [("u", "v")]))
    lines = evidence.centred()
    np.testing.assert_allclose(lines[:-1].sum(axis=0), lines[-1], rtol=1e-12, atol=1e-9)
    away = lines[-1] - evidence.log_joint[0]
    np.testing.assert_allclose(away, away[0], rtol=1e-12, atol=1e-8)  # log odds between classes are as they were
    if smoothed:
        np.testing.assert_allclose(lines.sum(axis=1), 0, atol=1e-9)
        np.testing.assert_allclose(np.exp(lines[-1]) / np.exp(lines[-1]).sum(), evidence.posterior[0], rtol=1e-12)


def test_each_class_over_the_average() -> None:
    text = model_of("D3", Categorical()).evidence(ECONOMY.queries()).text(each=True, unit="decibans")
    assert text.splitlines()[0].split()[-3:] == ["Bad", "Great", "Ok"]
    names = [line.split()[0] for line in text.splitlines()[1:]]
    assert (names[0], set(names[1:5]), names[5:]) == ("prior", set(ECONOMY.columns), ["sum", "posterior"])
    shares = [float(share) for share in text.splitlines()[-1].split()[1:]]
    assert shares == pytest.approx(model_of("D3", Categorical()).posterior(ECONOMY.queries()).values[0], abs=5e-5)


def test_what_is_ruled_out_is_called_impossible() -> None:
    evidence = model_of("D4", Categorical(MaximumLikelihood())).evidence(EXAMPLES["D4"].queries())
    exports = next(line for line in evidence.text(each=True).splitlines() if "Exports" in line)
    assert exports.count("impossible") == 1
    assert evidence.markdown().count("impossible") == 2  # Exports, and the sum


def test_of_many_classes_the_most_probable_are_shown() -> None:
    table = Table.of("x label", [(f"v{i % 4}", f"c{i}") for i in range(9)], target="label")
    text = learn({("x",): Categorical()}, table).evidence(Table.of("x", [("v0",)])).text(each=True)
    assert text.splitlines()[0].split()[-6:-3] == ["c0", "c4", "c8"]
    assert text.splitlines()[-1] == "  and 3 less probable classes"


def test_cells_are_named_and_those_that_say_nothing_say_why() -> None:
    evidence = with_cells(model_of("D2", Categorical()), rows(("Sunny", None, "High", "Gale")))
    lines = evidence.text().splitlines()
    assert any(line.strip().startswith("Outlook=Sunny") for line in lines)
    assert sum(line.endswith("missing: no evidence") for line in lines) == 1
    assert next(line for line in lines if line.endswith("never seen: no evidence")).strip().startswith("Wind=Gale")
    assert "never seen: no evidence |" in evidence.markdown()


def test_a_level_that_was_seen_is_not_called_unseen_for_being_even() -> None:
    table = Table.of("x label", [("u", "a"), ("u", "b")], target="label")
    model = learn({("x",): Categorical()}, table)
    assert "never seen" not in with_cells(model, Table.of("x", [("u",)])).text()


def test_whole_numbers_that_are_levels_are_not_unseen() -> None:
    table = Table.of("x label", [(0, "a"), (1, "b")], target="label")
    evidence = with_cells(learn({("x",): Categorical(sizes=(3,))}, table), Table.of("x", [(2,), (3,)]))
    assert evidence.unseen is not None
    assert evidence.unseen[:, 0].tolist() == [False, True]


def test_compound_columns_have_compound_cells() -> None:
    model = model_of("D2", FullJoint(unseen="prior"))
    evidence = with_cells(model, rows(TENNIS.rows[0][:-1], ("Sunny", "Cool", "High", "Strong")))
    assert evidence.values is not None
    assert evidence.values[0, 0] == TENNIS.rows[0][:-1]
    assert evidence.json(1)["columns"][0]["remark"] == "never seen: no evidence"


def test_one_rows_sum_as_plain_values() -> None:
    evidence = with_cells(model_of("D1", Bernoulli()), rows((1, 0, 0), (0, 0, 0), of="D1"))
    values = json.loads(json.dumps(evidence.json(1), allow_nan=False))
    assert values["classes"] == [0, 1]
    assert [column["column"] for column in values["columns"]] == ["f1", "f2", "f3"]
    assert [column["value"] for column in values["columns"]] == [0, 0, 0]
    parts = np.array([column["evidence"] for column in values["columns"]])
    np.testing.assert_allclose(np.array(values["prior"]) + values["constant"] + parts.sum(axis=0), values["sum"])
    np.testing.assert_allclose(values["posterior"], evidence.posterior[1])


def test_two_classes_stand_against_each_other_in_a_table() -> None:
    table = model_of("D2", Categorical(MaximumLikelihood())).evidence(TENNIS.queries()).markdown().splitlines()
    assert table[0] == "|  | No 0.7954 against Yes 0.2046, bits |"
    assert table[2:4] == ["| prior | -0.848 |", "| Outlook | +1.433 |"]
    assert table[-1] == "| sum | +1.959 |"
