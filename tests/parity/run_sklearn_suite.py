"""Run scikit-learn's own naive Bayes tests, as they are installed, against candide's classes.

``python tests/parity/run_sklearn_suite.py`` prints pytest's report and exits with its status.
"""

import ast
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PEER = "sklearn.naive_bayes"
OURS = frozenset({"GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"})

# tests which are not about behaviour a user can see, and why
LEFT_OUT = {
    "test_check_alpha": "calls scikit-learn's private _check_alpha; the public effect of alpha is in test_alpha",
    "test_gnb_check_update_with_no_data": "calls scikit-learn's private _update_mean_variance",
    "test_discretenb_provide_prior": "expects a fit that failed to have changed the classes; the rest is in ours",
    "test_gnb_array_api_compliance": "needs array API inputs of other libraries, which candide does not take",
}

# the two fixtures of scikit-learn's own conftest which the module uses
CONFTEST = """
import numpy as np
import pytest


@pytest.fixture(params=[0, 42, 99])
def global_random_seed(request):
    return request.param


@pytest.fixture
def global_dtype():
    return np.float64
"""


def installed_source() -> str:
    """The text of the installed test module."""
    spec = importlib.util.find_spec("sklearn.tests.test_naive_bayes")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("this scikit-learn was installed without its tests")
    return Path(spec.origin).read_text(encoding="utf-8")


def imports(module: str, names: list[ast.alias]) -> str:
    """One import statement, or nothing when there is no name."""
    return f"from {module} import {', '.join(map(ast.unparse, names))}" if names else ""


def redirected(source: str) -> str:
    """The source with the five estimators imported from candide, everything else as it was."""
    lines = source.splitlines()
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) and node.module == PEER]
    if OURS - {alias.name for node in nodes for alias in node.names}:
        raise ValueError("the installed test module does not import the estimators where it used to")
    for node in sorted(nodes, key=lambda node: -node.lineno):
        ours = imports("candide", [alias for alias in node.names if alias.name in OURS])
        theirs = imports(PEER, [alias for alias in node.names if alias.name not in OURS])
        indent = " " * node.col_offset
        lines[node.lineno - 1 : node.end_lineno] = [indent + line for line in (ours, theirs) if line]
    return "\n".join(lines) + "\n"


def command(folder: Path) -> list[str]:
    """pytest with a configuration of its own, without the tests which are left out."""
    name = "test_naive_bayes_of_candide.py"
    left_out = [f"--deselect={name}::{test}" for test in LEFT_OUT]
    options = ["-q", "-p", "no:cacheprovider", "-c", str(folder / "pytest.ini"), f"--rootdir={folder}"]
    return [sys.executable, "-m", "pytest", *options, *left_out, name]


def run() -> subprocess.CompletedProcess[str]:
    """Write the redirected module to a temporary folder and test it in a fresh process."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "test_naive_bayes_of_candide.py").write_text(redirected(installed_source()), encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment["PYTHONPATH"] = os.pathsep.join(sys.path[1:])
        return subprocess.run(command(folder), cwd=folder, env=environment, capture_output=True, text=True, check=False)


def main() -> int:
    """Print what was left out and pytest's report."""
    done = run()
    for test, reason in LEFT_OUT.items():
        print(f"left out: {test}: {reason}")
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
