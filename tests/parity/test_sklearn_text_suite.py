"""scikit-learn's own tests of texts hold for the tokens of candide's Analyzer."""

from __future__ import annotations

import re

from run_sklearn_text_suite import LEFT_OUT, installed_source, redirected, run


def test_what_is_left_out_is_there_and_has_a_reason() -> None:
    source = installed_source()
    assert all(f"def {test}(" in source for test in LEFT_OUT)
    assert all(LEFT_OUT.values())


def test_only_the_vectorizers_are_ours() -> None:
    source = (
        "x = 1\nfrom sklearn.feature_extraction.text import (\n    CountVectorizer,\n    HashingVectorizer,\n"
        "    TfidfVectorizer,\n    strip_tags,\n)\ny = 2\n"
    )
    expected = (
        "x = 1\nfrom vectorizers import CountVectorizer, HashingVectorizer, TfidfVectorizer\n"
        "from sklearn.feature_extraction.text import strip_tags\ny = 2\n"
    )
    assert redirected(source) == expected


def test_scikit_learns_own_tests_pass() -> None:
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout
    assert int(passed.group(1)) > 55
