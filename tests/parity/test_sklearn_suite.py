"""scikit-learn's own tests of naive Bayes hold for candide's classes."""

import re

from run_sklearn_suite import LEFT_OUT, redirected, run


def test_at_most_six_tests_are_left_out_and_each_for_a_reason():
    assert len(LEFT_OUT) <= 6
    assert all(LEFT_OUT.values())


def test_only_the_five_estimators_come_from_candide():
    source = "x = 1\nfrom sklearn.naive_bayes import (\n    {},\n    BaseEstimator,\n)\ny = 2\n"
    names = "BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB"
    expected = f"x = 1\nfrom candide import {names}\nfrom sklearn.naive_bayes import BaseEstimator\ny = 2\n"
    assert redirected(source.format(names)) == expected


def test_scikit_learns_own_tests_pass():
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed, done.stdout
    assert int(passed.group(1)) > 90
