"""Run scikit-learn's own tests of texts, as they are installed, on the tokens that candide's Analyzer makes.

``python tests/parity/run_sklearn_text_suite.py`` prints pytest's report and exits with its status.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from run_sklearn_suite import CONFTEST, imports

PEER = "sklearn.feature_extraction.text"
OURS = frozenset({"CountVectorizer", "HashingVectorizer", "TfidfVectorizer"})
NAME = "test_text_of_candide.py"

CALLED = "the analyzer is a function of the user's; candide takes what a dataclass can say, so that it can be saved"
PATTERN = "a token pattern of the user's; what a word is, candide does not let change"
WEIGHTS = "TfidfTransformer reads counts, no texts"
ACCENTS = "a function of scikit-learn that reads no tokens"

# tests which say nothing of an Analyzer, and why
LEFT_OUT = {
    "test_strip_accents": ACCENTS,
    "test_to_ascii": ACCENTS,
    "test_countvectorizer_custom_token_pattern": PATTERN,
    "test_countvectorizer_custom_token_pattern_with_several_group": PATTERN,
    "test_callable_analyzer_error": CALLED,
    "test_callable_analyzer_change_behavior": CALLED,
    "test_callable_analyzer_reraise_error": CALLED,
    "test_unused_parameters_warn": "warnings of scikit-learn about its own parameters; Analyzer.of refuses them",
    "test_vectorizer_stop_words_inconsistent": "a stop word that no text can hold is an error of Analyzer.of",
    "test_stop_word_validation_custom_preprocessor": "calls scikit-learn's private check of its stop words",
    "test_tf_transformer_feature_names_out": WEIGHTS,
    "test_tf_idf_smoothing": WEIGHTS,
    "test_tfidf_no_smoothing": WEIGHTS,
    "test_sublinear_tf": WEIGHTS,
    "test_transformer_idf_setter": WEIGHTS,
    "test_tfidf_transformer_type": WEIGHTS,
    "test_tfidf_transformer_sparse": WEIGHTS,
    "test_tfidf_transformer_copy": WEIGHTS,
    "test_tfidf_vectorizer_preserve_dtype_idf": "asks for the type of weights, of a hundred thousand documents",
    "test_countvectorizer_sort_features_64bit_sparse_indices": "calls scikit-learn's private _sort_features",
    "test_vectorizers_do_not_have_set_output": "says which methods scikit-learn's vectorizers have",
    "test_hashing_vectorizer_requires_fit_tag": "says which tags scikit-learn's vectorizers have",
}


def installed_source() -> str:
    """The text of the installed test module."""
    spec = importlib.util.find_spec("sklearn.feature_extraction.tests.test_text")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("this scikit-learn was installed without its tests")
    return Path(spec.origin).read_text(encoding="utf-8")


def redirected(source: str) -> str:
    """The source with the three vectorizers whose tokens are ours, everything else as it was."""
    lines = source.splitlines()
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom) and node.module == PEER]
    if OURS - {alias.name for node in nodes for alias in node.names}:
        raise ValueError("the installed test module does not import the vectorizers where it used to")
    for node in reversed(nodes):
        ours = imports("vectorizers", [alias for alias in node.names if alias.name in OURS])
        theirs = imports(PEER, [alias for alias in node.names if alias.name not in OURS])
        lines[node.lineno - 1 : node.end_lineno] = [line for line in (ours, theirs) if line]
    return "\n".join(lines) + "\n"


def run() -> subprocess.CompletedProcess[str]:
    """Write the redirected module to a temporary folder and test it in a fresh process."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / NAME).write_text(redirected(installed_source()), encoding="utf-8")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path[1:]])
        options = ["-q", "-p", "no:cacheprovider", "-c", str(folder / "pytest.ini"), f"--rootdir={folder}"]
        left_out = [f"--deselect={NAME}::{test}" for test in LEFT_OUT]
        command = [sys.executable, "-m", "pytest", *options, *left_out, NAME]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def main() -> int:
    """Print what was left out and pytest's report."""
    done = run()
    for test, reason in LEFT_OUT.items():
        print(f"left out: {test}: {reason}")
    print(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
