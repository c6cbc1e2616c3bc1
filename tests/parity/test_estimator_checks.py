"""Every estimator keeps scikit-learn's contract, with no expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from candide import BernoulliNB, CategoricalNB, ComplementNB, GaussianDiscriminant, GaussianNB, MultinomialNB

ESTIMATORS = [
    GaussianNB(),
    BernoulliNB(),
    MultinomialNB(),
    ComplementNB(),
    CategoricalNB(),
    GaussianDiscriminant(),
    GaussianDiscriminant(shrinkage="auto"),
    GaussianDiscriminant(covariance="diagonal"),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.filterwarnings("ignore::candide.errors.SingularWarning")  # some checks have fewer rows than columns
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learns_contract(estimator, check):
    check(estimator)
