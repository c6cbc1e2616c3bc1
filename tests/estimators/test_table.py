"""One classifier for the table as it is."""

from __future__ import annotations

import datetime as dt
import pickle
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import candide
from candide import Binned, Categorical, Gaussian, LogNormal, NaiveBayes, Poisson
from candide.errors import BadPrior, BadTable, BadValue, MergeMismatch, NeverAdded, UnknownColumn

RNG = np.random.default_rng(0)


@parametrize_with_checks([NaiveBayes()])
def test_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def table(rows: int = 300, seed: int = 0) -> pa.Table:
    """Strings, numbers, dates, truths and gaps that have to do with the label, and an id."""
    rng = np.random.default_rng(seed)
    spam = rng.random(rows) < 0.4
    hours = rng.gamma(2, 3, rows) + 4 * spam
    hours[rng.random(rows) < 0.1] = np.nan
    city = np.where(rng.random(rows) < 0.5 + 0.3 * spam, "Rome", rng.choice(["Oslo", "Kyiv", "Lima"], rows)).astype(
        object
    )
    city[rng.random(rows) < 0.1] = None
    day = [dt.date(2024, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 700, rows)]
    return pa.table(
        {
            "id": [f"row {i}" for i in range(rows)],
            "city": pa.array(city.tolist()),
            "hours": pa.array(hours, from_pandas=True),
            "size": pa.array(rng.integers(0, 5, rows) + 2 * spam),
            "paid": pa.array(rng.random(rows) < 0.3 + 0.4 * spam),
            "day": pa.array(day),
            "empty": pa.nulls(rows),
            "same": ["x"] * rows,
            "label": np.where(spam, "spam", "ham").tolist(),
        }
    )


def test_every_column_is_taken_for_something_and_says_why() -> None:
    kinds = {choice.column: choice.kind for choice in NaiveBayes().fit(table(), "label").kinds_}
    assert kinds["city"] == "categorical"
    assert kinds["hours"] == "numeric"
    assert kinds["size"] in ("categorical", "numeric")
    assert kinds["paid"] == "Bernoulli"
    assert {kinds["month of day"], kinds["weekday of day"], kinds["day"]} == {"categorical", "numeric"}
    assert [kinds[name] for name in ("id", "empty", "same", "hour of day")] == ["left out"] * 4
    said = {choice.column: str(choice) for choice in NaiveBayes().fit(table(), "label").kinds_}
    assert said["id"] == "id: left out (300 different strings in 300 rows: it names the rows)"
    assert said["same"] == "same: left out (it never varies)"


@pytest.mark.parametrize(
    "turned",
    [
        lambda t: t.to_pandas(),
        lambda t: t.to_pandas(types_mapper=pd.ArrowDtype),
        lambda t: t.to_pandas().astype({"city": "category"}),
        lambda t: pl.from_arrow(t),
        lambda t: pl.from_arrow(t).with_columns(pl.col("city").cast(pl.Categorical)),
        lambda t: t.set_column(1, "city", t["city"].dictionary_encode()),
        lambda t: t.set_column(3, "size", t["size"].cast(pa.uint8())),
        lambda t: t.set_column(3, "size", pa.array([Decimal(int(n)) for n in t["size"].to_pylist()])),
        lambda t: t.set_column(3, "size", t["size"].cast(pa.float32())),
        lambda t: t.set_column(5, "day", t["day"].cast(pa.timestamp("us"))),
        lambda t: t.to_batches()[0],
        lambda t: t.to_pylist(),
        lambda t: t.to_pydict(),
        lambda t: pa.concat_tables([t.slice(0, 7), t.slice(7)]),
        lambda t: pl.from_arrow(t).lazy(),
    ],
)
def test_the_same_table_in_another_form_gives_the_same_model(turned: Any) -> None:
    plain = NaiveBayes().fit(table(), "label")
    other = NaiveBayes().fit(turned(table()), "label")
    asked = table(50, seed=1).drop_columns(["label"])
    np.testing.assert_array_equal(plain.predict_proba(asked), other.predict_proba(asked))
    np.testing.assert_array_equal(plain.predict_proba(turned(table()))[:9], plain.predict_proba(table())[:9])


def test_columns_are_matched_by_name() -> None:
    model, asked = NaiveBayes().fit(table(), "label"), table(40, seed=2).drop_columns(["label"])
    turned = asked.select(asked.column_names[::-1]).append_column("extra", pa.array(range(40)))
    np.testing.assert_array_equal(model.predict_proba(asked), model.predict_proba(turned))
    with pytest.warns(UserWarning, match=r"columns \['city', 'paid'\] are not in the data"):
        absent = model.predict_proba(asked.drop_columns(["city", "paid"]))
    missing = asked.set_column(1, "city", pa.nulls(40)).set_column(4, "paid", pa.nulls(40))
    np.testing.assert_array_equal(absent, model.predict_proba(missing))


def test_a_missing_cell_and_an_unseen_level_are_no_evidence() -> None:
    model = NaiveBayes({"city": Categorical(), "hours": Binned()}).fit(table(), "label")
    parts = model.explain([{"city": None, "hours": 3.0}, {"city": "Atlantis", "hours": None}])
    place = list(parts.columns).index("city")
    assert np.ptp(parts.parts[0, place]) == 0
    assert np.ptp(parts.parts[1, place]) == pytest.approx(0, abs=1e-15)
    assert not parts.parts[1, list(parts.columns).index("hours")].any()
    text = parts.text(1, most=20)
    assert "never seen" in text
    assert "missing" in text


def test_gaps_can_be_evidence() -> None:
    rows = [{"x": None, "z": i % 3} for i in range(30)] + [{"x": 1.0 + i % 7, "z": i % 3} for i in range(30)]
    y = ["gone"] * 30 + ["here"] * 30
    ignored, counted = NaiveBayes(calibrate=False), NaiveBayes(missing="level", calibrate=False)
    assert ignored.fit(rows, y).predict_proba([{"x": None, "z": None}]).tolist() == [[0.5, 0.5]]
    assert counted.fit(rows, y).predict([{"x": None, "z": None}, {"x": 2.0, "z": None}]).tolist() == ["gone", "here"]
    assert NaiveBayes(missing={"x": "level"}).fit(rows, y).predict([{"x": None}, {"x": 2.0}]).tolist() == [
        "gone",
        "here",
    ]
    with pytest.raises(BadPrior, match="missing is 'ignore' or 'level'"):
        NaiveBayes(missing="drop").fit(rows, y)


@pytest.mark.parametrize("event", [Gaussian(), Binned(), Poisson(), LogNormal(), Categorical(), Binned(bins=8)])
def test_an_event_model_can_be_decided_for_a_column(event: Any) -> None:
    data = table()
    positive = data.set_column(2, "hours", pa.array(np.nan_to_num(data["hours"].to_numpy(), nan=3.0)))
    model = NaiveBayes({"hours": event}).fit(positive, "label")
    name = "log of hours" if isinstance(event, LogNormal) else "hours"
    chosen = next(choice for choice in model.kinds_ if choice.column == name)
    assert chosen.why == "as you said"
    posterior = model.predict_proba(positive)
    assert np.isfinite(posterior).all()
    assert (model.predict(positive) == np.array(data["label"].to_pylist())).mean() > 0.6


def test_a_column_can_be_left_out_and_a_name_must_exist() -> None:
    model = NaiveBayes({"city": None}).fit(table(), "label")
    assert "city: left out (you left it out)" in map(str, model.kinds_)
    with pytest.raises(UnknownColumn, match=r"'ctiy' is not in the table .* Did you mean 'city'\?"):
        NaiveBayes({"ctiy": None}).fit(table(), "label")
    with pytest.raises(UnknownColumn, match="'lable' is not in the table"):
        NaiveBayes().fit(table(), "lable")
    with pytest.raises(BadPrior, match="no event model"):
        NaiveBayes({"city": 3}).fit(table(), "label")


def test_halves_merged_updated_and_the_whole_are_one_model() -> None:
    whole, one, two = table(400), table(400).slice(0, 200), table(400).slice(200)
    model, asked = NaiveBayes().fit(whole, "label"), whole.drop_columns(["label"])
    merged = NaiveBayes().fit(one, "label").merge(NaiveBayes().fit(two, "label"))
    updated = NaiveBayes().fit(one, "label").partial_fit(two, "label")
    for other in (merged, updated):
        np.testing.assert_array_equal(other.predict_proba(asked), model.predict_proba(asked))
    forgotten = updated.forget(two, "label")
    np.testing.assert_array_equal(forgotten.predict_proba(asked), NaiveBayes().fit(one, "label").predict_proba(asked))
    with pytest.raises(NeverAdded):
        forgotten.forget(two, "label")
    with pytest.raises(MergeMismatch):
        model.merge(candide.GaussianNB())
    with pytest.raises(MergeMismatch, match="column 'city' is held as labels in one and as nothing in the other"):
        model.merge(NaiveBayes({"city": None}).fit(two, "label"))


def test_classes_levels_and_columns_may_come_later() -> None:
    model = NaiveBayes().fit([{"a": "x"}, {"a": "y"}] * 5, ["no", "yes"] * 5)
    model.partial_fit([{"a": "z", "b": 1.5}, {"a": "z", "b": 2.5}] * 5, ["maybe", "maybe"] * 5, classes=["never"])
    assert model.classes_.tolist() == ["maybe", "never", "no", "yes"]
    assert model.predict([{"a": "z"}, {"a": "y"}]).tolist() == ["maybe", "yes"]
    assert model.predict_proba([{"a": "z"}])[0, 1] > 0  # a class that may come is not impossible


def test_weights_are_repetitions() -> None:
    data, w = table(120).drop_columns(["id"]), np.random.default_rng(1).integers(0, 4, 120)
    repeated = data.take(np.repeat(np.arange(120), w))
    weighted = NaiveBayes().fit(data, "label", sample_weight=w)
    np.testing.assert_allclose(
        weighted.predict_proba(data), NaiveBayes().fit(repeated, "label").predict_proba(data), 1e-9
    )


def test_ageing_halves_what_was_counted() -> None:
    model = NaiveBayes().fit(table(), "label").age(0.5)
    assert model.class_count_.sum() == 150


def test_priors_after_training_shift_the_odds() -> None:
    model = NaiveBayes().fit(table(), "label")
    asked = table(30, seed=3)
    even = model.with_priors({"ham": 0.5, "spam": 0.5})
    weights = model.class_count_ + 1
    before, after = model.predict_proba(asked), even.predict_proba(asked)
    odds = (before[:, 1] / before[:, 0]) * (weights[0] / weights[1])
    np.testing.assert_allclose(after[:, 1] / after[:, 0], odds, rtol=1e-9)
    balanced = NaiveBayes(class_weight="balanced").fit(table(), "label")
    np.testing.assert_allclose(balanced.predict_proba(asked), after, rtol=1e-9)
    with pytest.raises(BadPrior, match="are no classes"):
        model.with_priors({"eggs": 1.0})


def test_costs_and_abstention() -> None:
    model, data = NaiveBayes().fit(table(), "label"), table(200, seed=4)
    posterior = model.predict_proba(data)
    careful = clone(model).set_params(costs={"spam": {"ham": 9}}).fit(table(), "label").predict(data)
    assert ((careful == "spam") == (posterior[:, 1] > 0.9)).all()
    shy = clone(model).set_params(reject=0.2).fit(table(), "label").predict(data)
    assert ((shy == None) == (posterior.max(axis=1) < 0.8)).all()  # noqa: E711


def test_the_explanation_adds_up_to_the_prediction() -> None:
    model, data = NaiveBayes().fit(table(), "label"), table(60, seed=5)
    assert not model.model_.calibration.is_none
    evidence = model.explain(data)
    np.testing.assert_allclose(evidence.posterior, model.predict_proba(data), rtol=1e-12)


def test_the_derivation_has_exact_fractions() -> None:
    rows = [{"sky": "sunny"}] * 2 + [{"sky": "rain"}] * 3
    model = NaiveBayes(calibrate=False).fit(rows, ["no", "no", "yes", "yes", "no"])
    text = model.derive({"sky": "rain"}).text()
    assert "P(sky=rain | yes)" in text
    assert "(2 + 1/2)/(2 + 1) = 5/6" in text


@pytest.mark.parametrize("row", range(12))
def test_one_row_is_like_many(row: int) -> None:
    data = table(200)
    model = NaiveBayes({"day": None}).fit(data, "label")
    one = data.slice(row, 1).to_pylist()[0]
    del one["label"], one["day"]
    np.testing.assert_allclose(model.predict_proba(one), model.predict_proba(data.slice(row, 1)), rtol=1e-12)
    assert model.predict(one) == model.predict(data.slice(row, 1))
    assert model.predict_proba([{"hours": "7.5"}]).shape == (1, 2)
    gap, none = ({"city": cell, "hours": cell} for cell in (float("nan"), None))
    np.testing.assert_array_equal(model.predict_proba(gap), model.predict_proba(none))
    with pytest.raises(BadValue, match=r"column 'hours' held numbers so far; 'many' in row 0 is none"):
        model.predict_proba({"hours": "many"})


@pytest.mark.parametrize("event", [Binned(), Gaussian(), LogNormal(), Poisson(), Categorical()])
def test_rows_drawn_from_a_model_teach_the_same_model(event: Any) -> None:
    data = table(2000)
    data = data.set_column(2, "hours", pa.array(np.ceil(np.nan_to_num(data["hours"].to_numpy(), nan=3.0)) + 1))
    model = NaiveBayes({"hours": event, "day": None}, calibrate=False).fit(data, "label")
    imagined = model.sample(20_000, random_state=0)
    assert set(imagined.column_names) <= set(data.column_names)
    again = NaiveBayes({"hours": event}, calibrate=False).fit(imagined, "label")
    asked = data.slice(0, 200)
    assert np.abs(model.predict_proba(asked) - again.predict_proba(asked)).mean() < 0.03


def test_rows_without_a_label_are_left_out() -> None:
    data = table(50)
    gaps = data.set_column(8, "label", pa.array([None, *data["label"].to_pylist()[1:]]))
    with pytest.warns(UserWarning, match="1 rows without a label"):
        model = NaiveBayes().fit(gaps, "label")
    assert model.class_count_.sum() == 49


def test_it_lives_among_scikit_learns_tools() -> None:
    frame = table().to_pandas()
    X, y = frame.drop(columns="label"), frame["label"]
    search = GridSearchCV(NaiveBayes(), {"calibrate": [True, False], "missing": ["ignore", "level"]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.6
    piped = make_pipeline(
        make_column_transformer(("passthrough", ["city", "hours"]), verbose_feature_names_out=False), NaiveBayes()
    ).set_output(transform="pandas")
    assert cross_val_score(piped, X, y, cv=3).mean() > 0.6
    model = NaiveBayes({"hours": Gaussian()}).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))


def test_files_keep_the_whole_model(tmp_path: Any) -> None:
    data = table(400)
    model = NaiveBayes({"hours": Gaussian()}, missing="level").fit(data.slice(0, 200), "label")
    candide.save(model, tmp_path / "mail.candide", {"rows": 200})
    again = candide.load(tmp_path / "mail.candide")
    np.testing.assert_array_equal(model.predict_proba(data), again.predict_proba(data))
    for one in (model, again):
        one.partial_fit(data.slice(200), "label")
    np.testing.assert_array_equal(model.predict_proba(data), again.predict_proba(data))


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(pa.table({"a": pa.array([], pa.string()), "label": pa.array([], pa.string())}), id="no rows"),
        pytest.param(pa.table({"label": ["a", "b"]}), id="no columns"),
        pytest.param(pa.Table.from_arrays([pa.array([1, 2])] * 3, ["a", "a", "label"]), id="twice"),
    ],
)
def test_what_is_no_table_is_refused(bad: Any) -> None:
    with pytest.raises(BadTable):
        NaiveBayes().fit(bad, "label")


@pytest.mark.parametrize(
    "column",
    [
        ["x", 1, None, 2.5],
        [float("inf"), 1.0, float("-inf"), float("nan")],
        [1e300, -1e300, 5e-324, 0.0],
        [2**63, 1, 2, 3],
        [10**30, 1, 2, 3],
        ["", "\0", "é", "a" * 10_000],
        [b"x", b"y", None, b"z"],
        [[1], [2], None, [3]],
        [None] * 4,
        [True, False, None, True],
        [dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1, 12), None, dt.datetime(2000, 2, 29)],
        [dt.time(1), dt.time(23, 59), None, dt.time(0)],
        [dt.timedelta(1), dt.timedelta(-1), None, dt.timedelta(0)],
    ],
)
def test_odd_columns_give_probabilities(column: list[Any]) -> None:
    rows = [{"odd": cell, "n": i} for i, cell in enumerate(column)]
    model = NaiveBayes().fit(rows * 5, ["a", "b", "a", "b"] * 5)
    posterior = model.predict_proba(rows)
    np.testing.assert_allclose(posterior.sum(axis=1), 1)
    assert model.explain(rows).text()


@pytest.mark.parametrize("y", [["a"] * 4, [1, 2, 1, 2], [True, False, True, False], ["a", "b", "c", "d"]])
def test_any_labels(y: list[Any]) -> None:
    rows = [{"n": i, "s": "xy"[i % 2]} for i in range(4)]
    model = NaiveBayes().fit(rows, y)
    assert set(model.predict(rows)) <= set(y)
    assert model.classes_.tolist() == sorted(set(y))


CELL = st.one_of(st.none(), st.integers(-5, 5), st.floats(allow_nan=True), st.sampled_from(["a", "b", "", "1.5"]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("xyz"), CELL, CELL), min_size=2, max_size=30))
def test_any_table_gives_probabilities(rows: list[Any]) -> None:
    data = [{"u": u, "v": v} for _, u, v in rows]
    model = NaiveBayes().fit(data, [label for label, _, _ in rows])
    posterior = model.predict_proba(data)
    np.testing.assert_allclose(posterior.sum(axis=1), 1)
    assert np.isfinite(posterior).all()
