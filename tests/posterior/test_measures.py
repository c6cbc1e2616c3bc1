"""Reports: equal to scikit-learn's measures, additive, and defined where there is nothing to measure."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from candide.errors import BadLabels, BadProbabilities, BadWeights, MergeMismatch, TooSmall
from candide.labels import Labels
from candide.posterior import Report, ranking

EXACT = {"rtol": 1e-12, "atol": 1e-12}
MEASURES = ("accuracy", "balanced_accuracy", "log_loss", "brier", "ece", "auc")


def names(classes: int) -> Labels:
    return Labels.of([f"class {c:02}" for c in range(classes)])


def drawn(classes: int, rows: int, seed: int, digits: int = 16) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities (with many ties if of few digits), true classes of which each has a row, and weights."""
    rng = np.random.default_rng(seed)
    values = rng.dirichlet(np.full(classes, 0.4), rows)
    if digits < 16:
        values = np.round(values * 10**digits) + 1e-300
        values /= values.sum(axis=1, keepdims=True)
    truth = np.array([rng.choice(classes, p=row) for row in values])
    truth[:classes] = np.arange(classes)
    return values, truth, rng.gamma(1.0, size=rows)


def peers(values: np.ndarray, truth: np.ndarray, w: np.ndarray | None) -> dict[str, float]:
    """What scikit-learn says."""
    classes = range(values.shape[1])
    decided = values.argmax(axis=1)
    score = values[:, 1] if len(classes) == 2 else values
    return {
        "accuracy": metrics.accuracy_score(truth, decided, sample_weight=w),
        "balanced_accuracy": metrics.balanced_accuracy_score(truth, decided, sample_weight=w),
        "log_loss": metrics.log_loss(truth, values, sample_weight=w, labels=classes),
        "brier": metrics.brier_score_loss(truth, values, sample_weight=w, labels=classes, scale_by_half=False),
        "auc": metrics.roc_auc_score(truth, score, sample_weight=w, multi_class="ovr", average="macro"),
    }


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("digits", [1, 16])
@pytest.mark.parametrize("classes", [2, 3, 7])
def test_measures_are_those_of_scikit_learn(classes: int, digits: int, is_weighted: bool) -> None:
    for seed in range(5):
        values, truth, w = drawn(classes, 300, seed, digits)
        weights = w if is_weighted else None
        report = Report.of(names(classes), values, truth, weights)
        for name, expected in peers(values, truth, weights).items():
            np.testing.assert_allclose(report.measures[name], expected, **EXACT, err_msg=name)
        decided = values.argmax(axis=1)
        confusion = metrics.confusion_matrix(truth, decided, sample_weight=weights, labels=range(classes))
        np.testing.assert_allclose(report.confusion, confusion, **EXACT)
        for ours, peer in ((report.precision, metrics.precision_score), (report.recall, metrics.recall_score)):
            theirs = peer(truth, decided, sample_weight=weights, average=None, labels=range(classes), zero_division=0)
            np.testing.assert_allclose([share or 0.0 for share in ours], theirs, **EXACT)


def test_a_true_class_thought_impossible_costs_as_much_as_in_scikit_learn() -> None:
    values, truth = np.array([[1.0, 0.0], [1.0, 0.0], [0.3, 0.7]]), np.array([0, 1, 1])
    report = Report.of(names(2), values, truth)
    np.testing.assert_allclose(report.log_loss, metrics.log_loss(truth, values), **EXACT)
    np.testing.assert_allclose(report.sum_log_loss, 52 * math.log(2) - math.log(0.7), **EXACT)


def test_calibration_error_worked_by_hand() -> None:
    """Two bins: [.8, .867) holds .8 and .85 of which one is right, [.933, 1] holds 1, right."""
    report = Report.of(names(2), [[0.8, 0.2], [0.15, 0.85], [0.0, 1.0]], [0, 0, 1])
    np.testing.assert_allclose(report.ece, (2 * abs(0.825 - 0.5) + 0) / 3)
    bins = report.reliability
    np.testing.assert_array_equal(np.flatnonzero(bins.counts), [12, 14])
    np.testing.assert_allclose(bins.predicted[[12, 14]], [0.825, 1.0])
    np.testing.assert_allclose(bins.right[[12, 14]], [0.5, 1.0])


def test_the_first_class_wins_a_tie() -> None:
    assert Report.of(names(3), [[0.2, 0.4, 0.4]], [1]).accuracy == 1.0


def test_probabilities_of_single_precision_are_taken() -> None:
    values, truth, _ = drawn(3, 100, 0)
    single = Report.of(names(3), values.astype(np.float32), truth)
    np.testing.assert_allclose(single.log_loss, Report.of(names(3), values, truth).log_loss, rtol=1e-5)


# ---------------------------------------------------------------- laws

CLASSES = 3
ROW = st.tuples(
    st.lists(st.integers(0, 5), min_size=CLASSES, max_size=CLASSES).filter(any),
    st.integers(0, CLASSES - 1),
    st.integers(0, 3),
)
ROWS = st.lists(ROW, max_size=12)
MANY = settings(max_examples=200, deadline=None)


def judged(rows: list[Any]) -> Report:
    counts = np.array([row[0] for row in rows], dtype=float).reshape(-1, CLASSES)
    values = counts / counts.sum(axis=1, keepdims=True)
    return Report.of(names(CLASSES), values, [row[1] for row in rows], [float(row[2]) for row in rows])


def same(one: Report, other: Report, count_rows: bool = True) -> None:
    assert not count_rows or one.rows == other.rows
    np.testing.assert_array_equal(one.confusion, other.confusion)
    ours, theirs = ([m.measures[name] for name in MEASURES] for m in (one, other))
    assert [x is None for x in ours] == [x is None for x in theirs]
    np.testing.assert_allclose([x or 0.0 for x in ours], [x or 0.0 for x in theirs], **EXACT)
    np.testing.assert_allclose(one.reliability.right, other.reliability.right, **EXACT)


@MANY
@given(ROWS, ROWS)
def test_reports_of_parts_add_up_to_that_of_the_whole(a: list[Any], b: list[Any]) -> None:
    same(judged(a) + judged(b), judged(a + b))


@MANY
@given(ROWS)
def test_the_report_of_no_rows_adds_nothing(a: list[Any]) -> None:
    same(Report.zero(names(CLASSES)) + judged(a), judged(a))
    same(judged(a) + Report.zero(names(CLASSES)), judged(a))


@MANY
@given(ROWS.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_the_order_of_rows_does_not_matter(both: tuple[list[Any], list[Any]]) -> None:
    same(judged(both[0]), judged(both[1]))


@MANY
@given(ROWS)
def test_weight_is_repetition(rows: list[Any]) -> None:
    repeated = [(counts, truth, 1) for counts, truth, times in rows for _ in range(times)]
    same(judged(rows), judged(repeated), count_rows=False)


@MANY
@given(ROWS)
def test_whatever_the_rows_nothing_printed_is_nan(rows: list[Any]) -> None:
    report = judged(rows)
    folds = Report.mean_of([report, report])
    for shown in (report, folds):
        for printed in (shown.text(), shown.markdown(), shown.json(), repr(shown)):
            assert "nan" not in printed.lower()
        json.loads(shown.json(), parse_constant=pytest.fail)


# ---------------------------------------------------------------- AUC of more scores than are kept


@pytest.mark.parametrize("classes", [2, 3])
def test_sums_of_many_scores_are_binned_and_say_how_far_off_they_can_be(
    classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, truth, w = drawn(classes, 6000, 1)
    exact = Report.of(names(classes), values, truth, w)
    monkeypatch.setattr(ranking, "MOST", 1000)
    blocks = [Report.of(names(classes), values[i::6], truth[i::6], w[i::6]) for i in range(6)]
    for block, i in zip(blocks, range(6), strict=True):  # one block is exact however large
        np.testing.assert_allclose(block.auc, peers(values[i::6], truth[i::6], w[i::6])["auc"], **EXACT)
        assert block.auc_error == 0
    whole = sum(blocks[1:], blocks[0])
    assert exact.auc is not None
    assert whole.auc is not None
    assert 0 < whole.auc_error < 1e-3
    assert abs(whole.auc - exact.auc) <= min(whole.auc_error, 1e-4)
    assert all(len(curve.scores) <= 4096 for curve in whole.ranking.curves)
    assert "±" in whole.text()


def test_few_different_scores_stay_exact_however_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "MOST", 100)
    values, truth, w = drawn(2, 2000, 3, digits=1)
    whole = Report.of(names(2), values[:900], truth[:900], w[:900])
    whole += Report.of(names(2), values[900:], truth[900:], w[900:])
    np.testing.assert_allclose(whole.auc, peers(values, truth, w)["auc"], **EXACT)
    assert whole.auc_error == 0


def test_bins_tell_extreme_probabilities_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """0 < 1e-300 < 1e-200 < 1e-100 < 1e-15 < ½ < 1 − 1e-15 < 1: scores like those of many columns."""
    monkeypatch.setattr(ranking, "MOST", 3)
    yes = np.array([0.0, 1e-300, 1e-200, 1e-100, 1e-15, 0.5, 1 - 1e-15, 1.0])
    values = np.column_stack([1 - yes, yes])
    truth = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    parts = Report.of(names(2), values[::2], truth[::2]) + Report.of(names(2), values[1::2], truth[1::2])
    twice = parts + parts
    assert twice.ranking.is_binned
    np.testing.assert_allclose(twice.auc, metrics.roc_auc_score(truth, yes), **EXACT)


# ---------------------------------------------------------------- where there is little to measure


def test_no_rows() -> None:
    report = Report.zero(names(2))
    assert set(report.measures.values()) == {None}
    assert report.precision == report.recall == (None, None)
    assert "accuracy               –" in report.text()


def test_one_class() -> None:
    report = Report.of(names(1), np.ones((4, 1)), [0, 0, 0, 0])
    assert (report.accuracy, report.balanced_accuracy, report.log_loss, report.brier) == (1.0, 1.0, 0.0, 0.0)
    assert report.auc is None
    assert "-0" not in report.text()


def test_a_class_without_rows_is_left_out_of_means() -> None:
    values, truth, _ = drawn(3, 200, 5)
    keep = truth != 1
    report = Report.of(names(3), values[keep], truth[keep])
    decided = values[keep].argmax(axis=1)
    known = [metrics.roc_auc_score(truth[keep] == c, values[keep, c]) for c in (0, 2)]
    np.testing.assert_allclose(report.auc, np.mean(known), **EXACT)
    recalls = metrics.recall_score(truth[keep], decided, labels=[0, 2], average=None)
    np.testing.assert_allclose(report.balanced_accuracy, recalls.mean(), **EXACT)
    assert report.recall[1] is None


def test_rows_of_weight_zero_count_for_nothing() -> None:
    report = Report.of(names(2), [[0.9, 0.1], [0.2, 0.8]], [0, 0], [1.0, 0.0])
    assert report.accuracy == 1.0
    assert set(Report.of(names(2), [[0.9, 0.1]], [0], [0.0]).measures.values()) == {None}


# ---------------------------------------------------------------- reading


def test_the_text_shows_what_a_reader_looks_for() -> None:
    labels = Labels.of(["ham", "spam"])
    report = Report.of(labels, [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]], [0, 0, 1, 1])
    text = report.text()
    assert "accuracy           0.7500\n  always 'ham'     0.5000" in text
    assert "ham       2     0.6667  1.0000" in text
    assert "true class  ham  spam\nham           2     0\nspam          1     1" in text


def test_of_many_classes_the_worst_mistakes_are_listed() -> None:
    values = np.eye(12)[[0, 3, 3, 3, 5]]
    text = Report.of(names(12), values, [0, 7, 7, 3, 9]).text()
    assert "true class   decided  rows\nclass 07    class 03     2\nclass 09    class 05     1" in text
    assert text.endswith("1")


def test_markdown_is_a_table_whatever_the_labels() -> None:
    text = Report.of(Labels.of(["a|b", "c\nd"]), [[1.0, 0.0]], [0]).markdown()
    assert r"| a\|b | 1 | 1.0000 | 1.0000 |" in text
    for block in text.split("\n\n"):
        bars = {line.replace(r"\|", "").count("|") for line in block.splitlines() if line.startswith("|")}
        assert len(bars) <= 1


def test_json_says_the_same() -> None:
    values, truth, w = drawn(2, 50, 0)
    report = Report.of(Labels.of([0, 1]), values, truth, w)
    read = json.loads(report.json())
    assert read == report.plain()
    assert read["classes"] == [0, 1]
    assert read["auc"] == report.auc
    assert read["confusion"] == report.confusion.tolist()
    assert None in read["reliability"]["right"]


# ---------------------------------------------------------------- folds


def test_means_and_standard_errors_over_folds() -> None:
    parts = [Report.of(names(2), *drawn(2, 80, seed)[:2]) for seed in range(4)]
    folds = Report.mean_of(parts)
    accuracies = [part.accuracy for part in parts]
    np.testing.assert_allclose(folds.means["accuracy"], np.mean(accuracies))
    np.testing.assert_allclose(folds.errors["accuracy"], np.std(accuracies, ddof=1) / 2)
    assert folds.pooled.rows == 320
    assert f"{np.mean(accuracies):.4f}" in folds.text()


def test_a_fold_without_auc_is_left_out_of_its_mean() -> None:
    with_both = Report.of(names(2), [[0.9, 0.1], [0.4, 0.6]], [0, 1])
    with_one = Report.of(names(2), [[0.9, 0.1], [0.4, 0.6]], [0, 0])
    folds = Report.mean_of([with_both, with_one])
    assert folds.means["auc"] == 1.0
    assert folds.errors["auc"] is None
    assert folds.errors["accuracy"] == 0.25


def test_no_folds_have_no_mean() -> None:
    with pytest.raises(TooSmall, match="at least one"):
        Report.mean_of([])


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        ([[0.5, 0.4]], "row 0 .* 0.5, 0.4 and adds to 0.9"),
        ([[0.5, 0.5], [1.5, -0.5]], "row 1 .* 1.5, -0.5"),
        ([[np.nan, 0.5]], "row 0"),
        ([[np.inf, -np.inf]], "row 0"),
        ([[0.2, 0.3, 0.5]], r"shape \(rows, 2\); this one has \(1, 3\)"),
        ([0.5, 0.5], "shape"),
        ([["a", "b"]], "must be numbers"),
    ],
)
def test_what_is_no_distribution_is_refused(probabilities: Any, message: str) -> None:
    with pytest.raises(BadProbabilities, match=message):
        Report.of(names(2), probabilities, [0] * len(probabilities))


@pytest.mark.parametrize(
    ("truth", "message"),
    [([0, -1], "row 1 has place -1"), ([0, 2], "row 1 has place 2"), ([0], "shape"), (["a", "b"], "Labels.codes")],
)
def test_true_classes_are_places(truth: Any, message: str) -> None:
    with pytest.raises(BadLabels, match=message):
        Report.of(names(2), [[0.5, 0.5], [0.5, 0.5]], truth)


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.nan], [1.0, np.inf], ["a", "b"]])
def test_weights_are_numbers_of_rows(weights: Any) -> None:
    with pytest.raises(BadWeights):
        Report.of(names(2), [[0.5, 0.5], [0.5, 0.5]], [0, 1], weights)


def test_reports_on_other_classes_do_not_add() -> None:
    with pytest.raises(MergeMismatch, match="do not add"):
        Report.zero(Labels.of(["a", "b"])) + Report.zero(Labels.of(["a", "c"]))
