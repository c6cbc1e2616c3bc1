"""A saved model is the model: it answers alike, goes on learning, and others can read it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors
from compare import same
from forge import retold, write
from hypothesis import given, settings
from models import ASKED, EVENTS, MODELS, TABLE, mixed
from safetensors.numpy import load_file
from strategies import FRACTIONS, OFFSETS, WHOLE, Rows, rows

from candide import __version__, counts, events, priors
from candide.classifier import learn, requests
from candide.counts import Tally
from candide.engines import Memory
from candide.priors import Dirichlet, MaximumLikelihood
from candide.storage import describe, load, save
from candide.storage.registry import CLASSES

GOLDEN = Path(__file__).parent / "golden" / "mixed-1.candide"
ABOUT = {"table": "six shoppers", "rows": 6, "target": "buys"}

every = pytest.mark.parametrize("name", MODELS)


def again(value: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        save(value, Path(folder) / "x.candide")
        return load(Path(folder) / "x.candide")


def identical(one: Tally, other: Tally) -> None:
    """The same, and bit by bit."""
    same(one, other)
    for request, statistic in one.statistics.items():
        theirs = other[request].to_arrays()
        for name, array in statistic.to_arrays().items():
            assert array.dtype == theirs[name].dtype
            np.testing.assert_array_equal(array, theirs[name], strict=True)


@every
def test_a_loaded_model_answers_alike(name: str) -> None:
    model = MODELS[name]()
    found = again(model)
    assert repr(found) == repr(model)
    identical(found.tally, model.tally)
    for columns, event in model.events.items():
        assert type(found.events[columns]) is type(event)
    np.testing.assert_array_equal(found.posterior(ASKED).values, model.posterior(ASKED).values)
    np.testing.assert_array_equal(found.class_prior, model.class_prior)
    assert found.parameters == model.parameters


@every
def test_a_loaded_model_learns_forgets_and_ages(name: str) -> None:
    model = MODELS[name]()
    found = again(model)
    same((found + model).tally, (model + model).tally)
    same((found + model - model).tally, model.tally, rtol=1e-9)
    same((found * 0.5).tally, (model * 0.5).tally)
    more = Memory().collect(requests(found.events), TABLE, found.tally)
    same(found.tally + more, model.tally + more)


@pytest.mark.parametrize("offset", OFFSETS)
def test_tallies_come_back_exactly_and_go_on_learning(offset: float) -> None:
    @settings(deadline=None, max_examples=60)
    @given(rows(offset, WHOLE), rows(offset, WHOLE))
    def law(a: Rows, b: Rows) -> None:
        one, other = a.tally(), b.tally()
        found = again(one)
        identical(found, one)
        identical(found + other, one + other)
        identical(again(one + other) - again(other), (one + other) - other)
        identical(b.tally(found), b.tally(one))

    law()


@settings(deadline=None, max_examples=60)
@given(rows(0.0, FRACTIONS))
def test_weights_that_are_fractions_come_back_exactly(a: Rows) -> None:
    identical(again(a.tally() * 0.3), a.tally() * 0.3)


@every
def test_equal_models_are_equal_bytes(name: str, tmp_path: Path) -> None:
    one, other, third = (tmp_path / f"{i}.candide" for i in range(3))
    save(MODELS[name](), one, ABOUT)
    save(MODELS[name](), other, ABOUT)
    save(load(one), third, ABOUT)
    assert one.read_bytes() == other.read_bytes() == third.read_bytes()


def test_a_scorecard_that_was_used_is_not_saved(tmp_path: Path) -> None:
    model = mixed()
    save(model, tmp_path / "fresh.candide")
    model.posterior(ASKED)
    save(model, tmp_path / "used.candide")
    assert (tmp_path / "fresh.candide").read_bytes() == (tmp_path / "used.candide").read_bytes()


@every
def test_the_safetensors_library_reads_it(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.candide"
    save(MODELS[name](), path, ABOUT)
    tensors, told = load_file(path), describe(path)
    assert {key: (str(array.dtype), array.shape) for key, array in tensors.items()} == {
        key: ({"F64": "float64", "I64": "int64", "U8": "uint8", "BOOL": "bool"}[dtype], shape)
        for key, (dtype, shape) in told["tensors"].items()
    }
    np.testing.assert_array_equal(tensors["tally.seen.weights"], MODELS[name]().tally.seen.weights)
    with safetensors.safe_open(path, "np") as file:
        assert file.metadata()["candide.version"] == __version__


def test_the_file_describes_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.candide"
    save(mixed(), path, ABOUT)
    told = describe(path)
    assert told["format"] == 1
    assert told["candide"] == __version__
    assert told["model"] == "Model"
    assert told["about"] == ABOUT
    assert told["bytes"] == path.stat().st_size
    assert told["tensors"]["tally.statistics.0.tables.1"] == ("F64", (3, 3))


def test_describing_does_not_read_the_arrays(tmp_path: Path) -> None:
    path = tmp_path / "x.candide"
    save(mixed(), path, ABOUT)
    told = describe(path)
    data = bytearray(path.read_bytes())
    data[-64:] = bytes(64)
    path.write_bytes(data)
    assert describe(path) == told


def test_a_field_that_an_older_file_does_not_have_gets_its_default(tmp_path: Path) -> None:
    def older(tree: Any) -> Any:
        del tree["Model"]["prior"]
        return tree

    save(mixed(), tmp_path / "x.candide")
    found = load(write(tmp_path / "older.candide", retold((tmp_path / "x.candide").read_bytes(), older)))
    assert found.prior == MaximumLikelihood()


@pytest.mark.parametrize("room", [counts, events, priors], ids=lambda room: room.__name__)
def test_everything_that_a_model_is_made_of_can_be_saved(room: Any) -> None:
    """`NormalBelief` is what comes of a prior and counts, and is worked out again."""
    known = {kind.cls for kind in CLASSES.values()} | {priors.NormalBelief}
    parts = [value for name, value in vars(room).items() if is_dataclass(value) and name[0] != "_"]
    assert parts
    assert not [part for part in parts if part not in known]


def test_reading_a_model_imports_neither_scikit_learn_nor_numba() -> None:
    look = f"import sys; from candide.storage import load; load({str(GOLDEN)!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert not {"sklearn", "numba", "safetensors"} & set(done.stdout.split())


def golden() -> None:
    """Wrote the golden file, once. A new format gets a new file beside it; this one stays as it is."""
    save(learn(EVENTS, TABLE, Dirichlet(1)), GOLDEN, ABOUT)


def test_models_of_the_first_format_are_still_read() -> None:
    found, expected = load(GOLDEN), mixed()
    identical(found.tally, expected.tally)
    np.testing.assert_allclose(found.posterior(ASKED).values, expected.posterior(ASKED).values, rtol=1e-12)
    assert describe(GOLDEN)["about"] == ABOUT
    assert describe(GOLDEN)["format"] == 1
