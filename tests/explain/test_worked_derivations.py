"""The tables of lectures, derived: every figure that is expected is written down."""

from __future__ import annotations

import json

import numpy as np
import pytest

from candide.classifier import Model, learn
from candide.data.examples import EXAMPLES
from candide.explain import Derivation
from candide.explain.worked import derivations, models

CASES = [(example, place) for example in EXAMPLES.values() for place in range(len(example.cases))]
NAMES = [f"{example.id}-{place}" for example, place in CASES]

# What a reader must find, in the order of the cases.
FIGURES = {
    "D1": [
        ["3/7", "4/7", "2/3", "1/3", "1/4", "3/4", "2/4 = 1/2", "3/56", "4/63", "0.4576271", "y = 0"],
        ["9/56", "2/63", "0.8350515", "y = 1"],
        ["3/56", "2/63", "0.6279070", "y = 1"],
    ],
    "D2": [
        ["5/14", "9/14", "18/875 = 0.0206", "1/189 = 0.0053", "0.7954", "Play = No", "Moderate"],
        ["(3 + 1)/(5 + 3) = 1/2", "25/1372", "6/847", "0.7200667", "Play = No"],
    ],
    "D3": [["1/27", "8/243", "4/243", "3/7", "8/21", "4/21", "Economy = Bad"]],
    "D4": [
        ["0/3 = 0", "Zero frequency: Exports=Avg with Great"],
        ["32/1125", "3/250", "2/125", "(0 + 1)/(3 + 2) = 1/5"],
        ["(0 + 2)/(3 + 4) = 2/7"],
        ["(0 + 1)/(3 + 2) = 1/5"],
    ],
    "D5": [
        ["32/245 = 0.1306", "0/3 = 0", "Defaulted = No", "Erratum", ".1309"],
        ["35/324", "1/125", "0.9310492", "Defaulted = No"],
    ],
    "D6": [["8/14 = 4/7", "6/14 = 3/7", "9/448", "1/126", "0.7168142", "Pet = Yes"]],
}

TENNIS = """\
P(No)                    = 5/14   P(Yes)                    = 9/14
P(Outlook=Sunny | No)    = 3/5    P(Outlook=Sunny | Yes)    = 2/9
P(Temperature=Cool | No) = 1/5    P(Temperature=Cool | Yes) = 3/9 = 1/3
P(Humidity=High | No)    = 4/5    P(Humidity=High | Yes)    = 3/9 = 1/3
P(Wind=Strong | No)      = 3/5    P(Wind=Strong | Yes)      = 3/9 = 1/3

P(No) · Π  = 5/14 · 3/5 · 1/5 · 4/5 · 3/5 = 18/875 = 0.0206
P(Yes) · Π = 9/14 · 2/9 · 1/3 · 1/3 · 1/3 = 1/189 = 0.0053

P(No | row)  = (18/875) / (18/875 + 1/189) = 486/611 = 0.7954173
P(Yes | row) = (1/189) / (18/875 + 1/189) = 125/611 = 0.2045827
Play = No

* Erratum: in print one table names a humidity 'Moderate'; it is Normal, and humidity has
  two levels."""

TENNIS_TABLE = """\
|  | No | Yes |
| --- | --- | --- |
| P(Play) | 5/14 | 9/14 |
| Outlook=Sunny | (3 + 1)/(5 + 3) = 1/2 | (2 + 1)/(9 + 3) = 1/4 |
| Temperature=Cool | (1 + 1)/(5 + 3) = 1/4 | (3 + 1)/(9 + 3) = 1/3 |
| Humidity=High | (4 + 1)/(5 + 2) = 5/7 | (3 + 1)/(9 + 2) = 4/11 |
| Wind=Strong | (3 + 1)/(5 + 2) = 4/7 | (3 + 1)/(9 + 2) = 4/11 |
| product | 25/1372 = 0.0182 | 6/847 = 0.0071 |
| P(Play \\| row) | 3025/4201 = 0.7200667 | 1176/4201 = 0.2799333 |

**Play = No**"""


def derived(example: str, place: int) -> Derivation:
    return derivations(EXAMPLES[example])[place][1]


@pytest.mark.parametrize(("example", "place"), CASES, ids=NAMES)
def test_every_figure_is_written_down(example: object, place: int) -> None:
    derivation = derivations(example)[place][1]  # type: ignore[arg-type]
    text, table = derivation.text(), derivation.markdown().replace("\\", "")
    for figure in FIGURES[example.id][place]:  # type: ignore[attr-defined]
        assert figure in text
        assert figure in table


@pytest.mark.parametrize(("example", "place"), CASES, ids=NAMES)
def test_products_are_those_expected(example: object, place: int) -> None:
    caption, derivation = derivations(example)[place]  # type: ignore[arg-type]
    expected = example.cases[place].expected  # type: ignore[attr-defined]
    found = dict(zip(derivation.classes, derivation.weights or (), strict=True))
    assert caption.startswith(example.id)  # type: ignore[attr-defined]
    assert found if not expected else found == dict(expected)


@pytest.mark.parametrize(("example", "place"), CASES, ids=NAMES)
def test_derivations_agree_with_the_model(example: object, place: int) -> None:
    case = example.cases[place]  # type: ignore[attr-defined]
    model: Model = learn(models(example, case)[0], example.table())  # type: ignore[arg-type, attr-defined]
    rows = list(dict.fromkeys(each.query for each in example.cases))  # type: ignore[attr-defined]
    asked, derivation = rows.index(case.query), derivations(example)[place][1]  # type: ignore[arg-type]
    answers = model.posterior(example.queries()).values[asked]  # type: ignore[attr-defined]
    np.testing.assert_allclose(derivation.posterior, answers, rtol=0, atol=1e-12)
    assert derivation.decision == model.tally.classes[int(model.decide(example.queries())[asked])]  # type: ignore[attr-defined]


def test_tennis_on_paper() -> None:
    assert derived("D2", 0).text(width=90) == TENNIS


def test_tennis_as_a_table() -> None:
    assert derived("D2", 1).markdown().split("\n\n* ")[0] == TENNIS_TABLE


def test_tennis_as_values() -> None:
    values = json.loads(json.dumps(derived("D2", 1).json(), allow_nan=False))
    assert (values["target"], values["classes"], values["decision"]) == ("Play", ["No", "Yes"], "No")
    outlook = values["columns"][0]
    assert (outlook["column"], outlook["value"]) == ("Outlook", "Sunny")
    shown = {key: outlook["factors"][0][key] for key in ("fraction", "count", "total", "plus", "under")}
    assert shown == {"fraction": "1/2", "count": "3", "total": "5", "plus": "1", "under": "3"}
    assert [product["fraction"] for product in values["products"]] == ["25/1372", "6/847"]
    assert values["posterior"][0] == {"fraction": "3025/4201", "decimal": pytest.approx(0.7200667, abs=5e-8)}


def test_an_impossible_class_has_no_logarithm() -> None:
    yes = derived("D5", 0).json()["products"][1]
    assert yes == {"fraction": "0", "decimal": 0.0, "log": None, "zeros": 2}
