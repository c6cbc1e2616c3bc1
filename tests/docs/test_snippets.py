"""Every example in the README, the docs and the docstrings runs and prints what it says."""

from __future__ import annotations

import doctest
import runpy
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import pytest
import sklearn

import candide

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = ["candide", *(found.name for found in walk_packages(candide.__path__, "candide."))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path) -> None:
    if page.name == "differences.md" and not sklearn.__version__.startswith("1.9."):
        pytest.skip("the page shows what scikit-learn 1.9 does")
    text = page.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert "```python" not in text or test.examples
    assert text.count("```python\n>>> ") == text.count("```python"), "a Python block that is no doctest would not run"
    run(test)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    module = import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        run(test)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_example(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def run(test: doctest.DocTest) -> None:
    told: list[str] = []
    with np.printoptions(legacy=False):
        doctest.DocTestRunner(optionflags=FLAGS).run(test, out=told.append)
    assert not told, "".join(told)
