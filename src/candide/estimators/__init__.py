"""scikit-learn's names and contract."""

from candide.estimators.categorical import CategoricalNB
from candide.estimators.discriminant import GaussianDiscriminant
from candide.estimators.gaussian import GaussianNB
from candide.estimators.table import NaiveBayes
from candide.estimators.text import TextNB
from candide.estimators.words import BernoulliNB, ComplementNB, MultinomialNB

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianDiscriminant",
    "GaussianNB",
    "MultinomialNB",
    "NaiveBayes",
    "TextNB",
]
