"""What users of scikit-learn do about tables of strings, numbers and gaps."""

import warnings

import numpy as np
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.preprocessing import KBinsDiscretizer

from benchmarks.real import RealTable

BINS = 10
Codes = tuple[np.ndarray, np.ndarray, np.ndarray]  # of rows to learn from, of rows to judge by, levels a column


def mixed(train: RealTable, test: RealTable) -> np.ndarray:
    """GaussianNB on the numbers, gaps filled with the median, and CategoricalNB on the strings: one class prior."""
    joint = np.zeros((len(test.y), len(train.classes)))
    priors = 0.0
    if train.numbers.shape[1]:
        middle = np.nan_to_num(np.nanmedian(train.numbers, axis=0))
        model = GaussianNB().fit(filled(train.numbers, middle), train.y)
        joint += model.predict_joint_log_proba(filled(test.numbers, middle))
        priors = np.log(model.class_prior_)
    if train.strings.shape[1]:
        joint += categorical(train.y, coded(train, test))
        joint -= priors
    return shares(joint)


def binned(train: RealTable, test: RealTable) -> np.ndarray:
    """CategoricalNB on strings and on ten quantile bins of each number, a gap being a level of its own."""
    columns = [coded(train, test)] if train.strings.shape[1] else []
    columns += [cut(train.numbers[:, j], test.numbers[:, j]) for j in range(train.numbers.shape[1])]
    learnt, asked, levels = (np.concatenate([one[part] for one in columns], axis=-1) for part in range(3))
    return shares(categorical(train.y, (learnt, asked, levels)))


def categorical(y: np.ndarray, codes: Codes) -> np.ndarray:
    """Joint log-probabilities of CategoricalNB, with its own defaults."""
    learnt, asked, levels = codes
    return CategoricalNB(min_categories=levels).fit(learnt, y).predict_joint_log_proba(asked)


def coded(train: RealTable, test: RealTable) -> Codes:
    """Strings as codes; a gap is a level of its own, a string that was not learnt is the most frequent one."""
    learnt, asked = (np.zeros(part.strings.shape, dtype=np.int64) for part in (train, test))
    levels = np.zeros(train.strings.shape[1], dtype=np.int64)
    for j, (mine, theirs) in enumerate(zip(train.strings.T, test.strings.T, strict=True)):
        names, learnt[:, j], counts = np.unique([str(cell) for cell in mine], return_inverse=True, return_counts=True)
        places = {name: code for code, name in enumerate(names.tolist())}
        asked[:, j] = [places.get(str(cell), int(counts.argmax())) for cell in theirs]
        levels[j] = len(names)
    return learnt, asked, levels


def cut(learnt: np.ndarray, asked: np.ndarray) -> Codes:
    """One column of numbers in quantile bins; those that are missing in one more."""
    known = learnt == learnt
    if not known.any() or np.ptp(learnt[known]) == 0:
        codes = [np.isnan(x).astype(np.int64)[:, None] for x in (learnt, asked)]
        return codes[0], codes[1], np.array([2])
    bins = KBinsDiscretizer(BINS, encode="ordinal", quantile_method="averaged_inverted_cdf", subsample=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # bins without rows are joined
        bins.fit(learnt[known][:, None])
    width = int(bins.n_bins_[0])
    out = []
    for x in (learnt, asked):
        codes = np.full(len(x), width, dtype=np.int64)
        codes[x == x] = bins.transform(x[x == x][:, None])[:, 0] if (x == x).any() else 0
        out.append(codes[:, None])
    return out[0], out[1], np.array([width + bool((~known).any() or (asked != asked).any())])


def filled(X: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Gaps filled column by column."""
    return np.where(np.isnan(X), middle, X)


def shares(joint: np.ndarray) -> np.ndarray:
    """The posterior of a joint log-probability."""
    away = np.exp(joint - joint.max(axis=1, keepdims=True))
    return away / away.sum(axis=1, keepdims=True)
