"""Pictures: real files whose letters can be read, drawn without touching anything outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from candide.errors import BadPrior, BadProbabilities, BadValue, CandideError, MissingExtra, NotLinear
from candide.explain.pictures import Levels, binned_densities, boundary, densities, nomogram, reliability
from candide.labels import Labels
from candide.posterior import Report

ZOO = ["cat", "dog", "_owl $1 or $2"]


def calibrated(rows: int = 300, classes: int = 3) -> Report:
    rng = np.random.default_rng(0)
    values = rng.dirichlet(np.full(classes, 0.5), rows)
    truth = [rng.choice(classes, p=row) for row in values]
    return Report.of(Labels.of([f"class {c}" for c in range(classes)]), values, truth)


def of_a_plane(points: np.ndarray) -> np.ndarray:
    scores = points @ [[1.0, 0.0, -1.0], [0.0, 2.0, -1.0]]
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def plane(rows: int, path: Path | None = None, codes: Any = None) -> Figure:
    x, y = np.random.default_rng(1).normal(size=(2, rows))
    places = of_a_plane(np.column_stack([x, y])).argmax(axis=1) if codes is None else np.full(rows, codes)
    return boundary(ZOO, of_a_plane, x, y, places, ("income", "age"), path)


AGES = Levels("age", [-np.inf, 21.0, 30.0, 45.0, 60.0, np.inf], [-5.0, -1.0, 0.5, 1.1, 0.3], [5, 9, 9, 9, 4])
COLUMNS: list[Any] = [
    ("city", ["Rome", "Oslo"], [0.7, -0.1]),
    ("job $", ["clerk", "nurse", "smith"], [0.1, -2.0, 1.0]),
    AGES,
]

DRAWINGS: dict[str, tuple[Callable[[Path | None], Figure], list[str]]] = {
    "reliability": (
        lambda path: reliability(calibrated(), path),
        ["Do probabilities come true?", "probability of the decided class", "share that was right", "300 rows"],
    ),
    "densities": (
        lambda path: densities("height", ZOO, [1.0, 2.0, np.nan], [0.5, 0.0, 1.0], [0.5, 0.4, 0.1], path),
        ["height in each class", "cat: 1 ± 0.707", "dog: always 2", "never seen: _owl $1 or $2", "P(class)"],
    ),
    "binned_densities": (
        lambda path: binned_densities("height", ZOO, [-np.inf, 1, 2, np.inf], np.full((3, 3), 1 / 3), None, path),
        ["height in each class, 3 bins", "cat", "_owl $1 or $2", "outer bins are open"],
    ),
    "boundary": (lambda path: plane(60, path), ["The most probable class", "income", "age", "dog", "60 rows"]),
    "nomogram": (
        lambda path: nomogram(COLUMNS, -1.0, ["no", "yes"], path),
        [
            "What speaks for no (left) and for yes (right)",
            "job $",
            "nurse",
            "Rome",
            "&lt; 21",
            "45 – 60",
            "P(yes)",
            "99 %",
        ],
    ),
}
every_drawing = pytest.mark.parametrize("name", DRAWINGS)


@every_drawing
def test_a_png_is_one(name: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    DRAWINGS[name][0](path)
    written = path.read_bytes()
    assert written.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(written) > 10_000


@every_drawing
def test_an_svg_holds_its_letters_as_letters(name: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.SVG"
    draw, labels = DRAWINGS[name]
    draw(path)
    written = path.read_text(encoding="utf-8")
    assert written.startswith("<?xml")
    assert "</svg>" in written
    assert [label for label in labels if label not in written] == []


@every_drawing
def test_the_same_picture_is_the_same_file(name: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one.svg", tmp_path / "two.svg"
    for path in (one, two):
        DRAWINGS[name][0](path)
    assert one.read_bytes() == two.read_bytes()


@every_drawing
def test_without_a_path_the_figure_is_returned(name: str) -> None:
    assert isinstance(DRAWINGS[name][0](None), Figure)


@every_drawing
def test_nothing_lies_outside_the_paper(name: str) -> None:
    figure = DRAWINGS[name][0](None)
    figure.draw_without_rendering()
    width, height = figure.bbox.width, figure.bbox.height
    ticks = {text for axes in figure.axes for text in (*axes.get_xticklabels(), *axes.get_yticklabels())}
    for text in set(figure.findobj(lambda part: isinstance(part, Text) and bool(part.get_text()))) - ticks:
        box = text.get_window_extent()
        outside = box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
        assert not outside, text.get_text()


@every_drawing
def test_a_missing_matplotlib_is_named_with_its_command(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r'matplotlib.* pip install "candide\[plot\]"'):
        DRAWINGS[name][0](None)


def test_importing_pictures_does_not_import_matplotlib() -> None:
    code = "import sys, candide.explain.pictures; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_drawing_leaves_pyplot_alone(tmp_path: Path) -> None:
    code = (
        "import sys, matplotlib; before = matplotlib.rcParams.copy()\n"
        "from candide.explain.pictures import densities\n"
        f"densities('x', ['a'], [0], [1], None, {str(tmp_path / 'x.svg')!r})\n"
        "sys.exit('matplotlib.pyplot' in sys.modules or matplotlib.rcParams != before)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CandideError, match=r"ends in \.png, \.svg, \.pdf; .*picture\.doc"):
        densities("x", ["a"], [0.0], [1.0], None, tmp_path / "picture.doc")


# ---------------------------------------------------------------- what they show


def test_the_points_of_the_curve_are_those_of_the_report() -> None:
    report = calibrated()
    figure = reliability(report)
    curve = next(line for line in figure.axes[0].lines if line.get_marker() == "o")
    some = report.reliability.counts > 0
    np.testing.assert_array_equal(curve.get_xdata(), report.reliability.predicted[some])
    np.testing.assert_array_equal(curve.get_ydata(), report.reliability.right[some])
    assert sum(bar.get_height() for bar in figure.axes[1].patches) == 300


def test_a_report_of_no_rows_can_be_drawn(tmp_path: Path) -> None:
    path = tmp_path / "none.svg"
    reliability(Report.zero(Labels.of(["a", "b"])), path)
    assert "no rows" in path.read_text(encoding="utf-8")


def test_curves_have_the_area_of_their_class() -> None:
    figure = densities("x", ["a", "b"], [0.0, 50.0], [1e-4, 100.0], [0.3, 0.7])
    curves = [line.get_data() for line in figure.axes[0].lines]
    areas = [float(np.diff(x) @ (y[1:] + y[:-1])) / 2 for x, y in curves]
    np.testing.assert_allclose(areas, [0.3, 0.7], rtol=5e-3)


def test_steps_have_the_area_of_their_class() -> None:
    edges, table = np.array([0.0, 1.0, 5.0, 6.0]), np.array([[0.2, 0.5], [0.5, 0.25], [0.3, 0.25]])
    figure = binned_densities("x", ["a", "b"], edges, table)
    steps = [patch.get_data() for patch in figure.axes[0].patches[::2]]
    np.testing.assert_allclose([(values * np.diff(at)).sum() for values, at, _ in steps], [1.0, 1.0])


def test_the_line_runs_where_two_classes_are_equally_probable() -> None:
    """Two normal densities of equal spread about (0, 0) and (2, 0): the line is x = 1."""

    def posterior(points: np.ndarray) -> np.ndarray:
        second = 1 / (1 + np.exp(2 - 2 * points[:, 0]))
        return np.column_stack([1 - second, second])

    figure = boundary(["a", "b"], posterior, [-3, 5], [-4, 4], [0, 1], ("x", "y"))
    lines = [path for part in figure.axes[0].collections for path in part.get_paths() if len(path.vertices) > 100]
    assert lines
    for line in lines:
        np.testing.assert_allclose(line.vertices[:, 0], 1.0, atol=1e-6)


def test_certainties_have_a_boundary_too() -> None:
    """Probabilities of exactly 0 and 1, as naive Bayes of many columns gives them."""

    def posterior(points: np.ndarray) -> np.ndarray:
        return np.eye(2)[(points[:, 0] > 0).astype(int)]

    figure = boundary(["a", "b"], posterior, [-1, 1], [-1, 1], [0, 1], ("x", "y"))
    lines = [path for part in figure.axes[0].collections for path in part.get_paths() if len(path.vertices) > 100]
    assert all(np.abs(line.vertices[:, 0]).max() < 0.01 for line in lines)
    assert lines


def test_of_many_rows_some_are_shown_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "plane.svg"
    plane(5000, path)
    assert "2,000 of 5,000 rows" in path.read_text(encoding="utf-8")


def test_rows_of_no_known_class_and_gaps() -> None:
    labels = [text.get_text() for text in plane(5, codes=-1).axes[0].get_legend().get_texts()]
    assert labels[-1] == "not known"
    figure = boundary(ZOO, of_a_plane, [0.0, np.nan], [1.0, 1.0], [0, 1], ("x", "y"))
    assert "1 rows" in figure.get_supxlabel()
    assert boundary(ZOO, of_a_plane, [], [], [], ("x", "y"))


def test_a_posterior_of_other_classes_is_refused() -> None:
    with pytest.raises(BadProbabilities, match=r"shape \(rows, 2\)"):
        boundary(["a", "b"], of_a_plane, [0.0], [0.0], [0], ("x", "y"))


def test_a_legend_of_many_classes_stays_on_the_paper() -> None:
    figure = densities("x", [f"class {c}" for c in range(40)], np.arange(40.0), np.ones(40))
    figure.draw_without_rendering()
    box = figure.axes[0].get_legend().get_window_extent()
    assert box.y0 >= 0
    assert box.x1 <= figure.bbox.width


# ---------------------------------------------------------------- nomograms


def texts(figure: Figure, within: Any = None) -> list[str]:
    return [text.get_text() for text in (within or figure).findobj(Text) if text.get_text()]


def test_the_most_telling_columns_come_first_and_the_rest_is_said() -> None:
    """By how many bits a value says on average, where it is known how often values occur."""
    rare = Levels("rare", ["usual", "rare"], [0.01, 9.0], [9999, 1])
    columns = [rare, *[(f"c{i:02}", ["a", "b"], [-i / 10, i / 10], [1, 1]) for i in range(1, 13)]]
    figure = nomogram(columns, 0.0, ["no", "yes"])
    shown = [text for text in texts(figure) if text in {"rare", *(column[0] for column in columns)}]
    assert shown == [f"c{i:02}" for i in range(12, 2, -1)]
    assert any("the 10 most telling of 13 columns" in text for text in texts(figure))
    (said,) = [text for text in texts(figure) if "the others" in text]
    assert "−0.4 and +13.4 bits" in said


def test_levels_stand_at_their_bits() -> None:
    figure = nomogram([("city", ["Rome", "Oslo"], [np.log(8), np.log(1 / 2)])], np.log(2), ["no", "yes"])
    at = {text.get_text(): text.xy[0] for text in figure.axes[0].texts}
    np.testing.assert_allclose([at["Rome"], at["Oslo"]], [3.0, -1.0])
    (prior,) = [line for line in figure.axes[0].lines if line.get_marker() == "D"]
    np.testing.assert_allclose(prior.get_xdata(), [1.0])
    chances = {text.get_text(): text.get_position()[0] for text in figure.axes[1].texts}
    np.testing.assert_allclose(chances["90 %"], np.log2(9))


def test_no_label_lies_on_another() -> None:
    rng = np.random.default_rng(3)
    columns: list[Any] = [(f"column {j}", [f"level {i}" for i in range(30)], rng.normal(size=30)) for j in range(4)]
    columns += [Levels("age", np.arange(31), rng.normal(size=30)), AGES]
    columns.append(("the name of a column", ["a level of many words", "an other level of words"], [-4.0, 4.0]))
    figure = nomogram(columns, 0.0, ["no", "yes"])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert len(boxes) > 50
    for i, one in enumerate(boxes):
        for other in boxes[:i]:
            across = min(one.x1, other.x1) - max(one.x0, other.x0)
            up = min(one.y1, other.y1) - max(one.y0, other.y0)
            assert across <= 0 or up <= 3, (one, other)  # lines of text may touch
    assert any("without room for a label" in text for text in texts(figure))


def test_what_one_class_never_had_is_an_arrow() -> None:
    figure = nomogram([("outlook", ["rain", "overcast", "fog"], [-0.5, np.inf, -1e6])], 0.5, ["no", "yes"])
    assert {"<", ">"} <= {line.get_marker() for line in figure.axes[0].lines if len(line.get_xdata())}
    assert figure.axes[0].get_xlim()[1] < 2
    assert any("arrows: values that one class never had" in text for text in texts(figure))


def test_values_that_one_class_never_had_share_a_label() -> None:
    odours = ("odour", ["foul", "none", "costs $5", "musty"], [np.inf, -3.0, np.inf, 1e6])
    figure = nomogram([odours], 0.5, ["edible", "poisonous"])
    assert r"foul, costs \$5, musty" in texts(figure)


def test_no_columns_and_empty_columns() -> None:
    assert "prior" in texts(nomogram([], 0.0, ["no", "yes"]))
    assert "city" in texts(nomogram([("city", [], [])], 0.0, ["no", "yes"]))


@pytest.mark.parametrize(
    ("columns", "prior", "classes", "error"),
    [
        (COLUMNS, 0.0, ["a", "b", "c"], NotLinear),
        (COLUMNS, np.inf, ["a", "b"], BadPrior),
        (COLUMNS, np.nan, ["a", "b"], BadPrior),
        ([("city", ["Rome"], [0.1, 0.2])], 0.0, ["a", "b"], BadValue),
        ([("city", ["Rome", "Oslo"], [0.1, 0.2], [1])], 0.0, ["a", "b"], BadValue),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    columns: Any, prior: float, classes: list[str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        nomogram(columns, prior, classes)
