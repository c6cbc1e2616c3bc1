"""Train on a real table, evaluate, explain one row, forget one, merge two: `make demo`."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import accuracy_score, confusion_matrix, log_loss
from sklearn.model_selection import train_test_split

from candide import GaussianDiscriminant, GaussianNB


def main() -> None:
    bunch = load_breast_cancer(as_frame=True)
    X, y = bunch.data, bunch.target_names[bunch.target]
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)
    print(f"breast cancer: {len(X_train)} rows to learn from, {len(X_test)} to be tested on, {X.shape[1]} columns\n")

    print(f"{'model':<36}{'accuracy':>8}{'log-loss':>10}")
    models = {
        "GaussianNB": GaussianNB(),
        "GaussianDiscriminant, one spread": GaussianDiscriminant(),
        "GaussianDiscriminant, a spread each": GaussianDiscriminant(shared=False),
    }
    for name, model in models.items():
        model.fit(X_train, y_train)
        accuracy = accuracy_score(y_test, model.predict(X_test))
        loss = log_loss(y_test, model.predict_proba(X_test), labels=model.classes_)
        print(f"{name:<36}{accuracy:>8.3f}{loss:>10.3f}")

    model = models["GaussianNB"]
    print(f"\nGaussianNB, rows: truth; columns: prediction; order: {', '.join(model.classes_)}")
    print(confusion_matrix(y_test, model.predict(X_test)))

    row = X_test.iloc[[0]]
    print(f"\nWhy row {row.index[0]} (truth: {y_test[0]}):")
    print(model.explain(row).text(most=8))

    before = model.var_
    model.partial_fit(row, y_test[:1])
    model.forget(row, y_test[:1])
    print(f"\nlearnt and forgotten: variances differ by {np.abs(model.var_ / before - 1).max():.0e}")

    halves = [GaussianNB().fit(X_train[i::2], y_train[i::2]) for i in (0, 1)]
    merged = halves[0].merge(halves[1])
    print(f"two halves merged:    variances differ by {np.abs(merged.var_ / before - 1).max():.0e}")
    print(f"what was counted:     {merged.tally_}")


if __name__ == "__main__":
    main()
