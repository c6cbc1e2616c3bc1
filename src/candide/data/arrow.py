"""Any dataframe as one Arrow table, and Arrow columns as labels or floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from candide.data.columns import Encoded, encoded, well_formed
from candide.data.dictionaries import words
from candide.errors import BadTable, BadValue
from candide.labels import Labels

MANY, SHORT = 10_000, 64  # strings of a column, and letters of the longest
FEW_ROWS = 1 << 18  # of a frame of pandas: starting threads would take longer than to do without them
TRUE, FALSE = {"true", "t", "yes", "y", "1", "1.0"}, {"false", "f", "no", "n", "0", "0.0"}


def as_arrow(data: Any) -> pa.Table:
    """A pandas, Polars or PyArrow frame, a NumPy matrix, a list of dicts or a dict of columns, as an Arrow table."""
    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    if isinstance(data, Mapping):
        data = pa.table({str(name): _array(list(cells)) for name, cells in data.items()})
    elif isinstance(data, np.ndarray):
        data = _of_matrix(data)
    elif isinstance(data, (list, tuple)):
        data = _of_rows(data)
    elif not isinstance(data, pa.Table):
        data = _of_frame(data)
    names = data.column_names
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise BadTable(f"column {twice[0]!r} is there {names.count(twice[0])} times; give every column its own name.")
    return data


def _of_matrix(X: NDArray[Any]) -> pa.Table:
    if X.ndim != 2:
        raise BadTable(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: one row a case.")
    return pa.table({f"x{j}": _array(X[:, j]) for j in range(X.shape[1])})


def _of_rows(rows: Sequence[Any]) -> pa.Table:
    if not rows:
        return pa.table({})
    if isinstance(rows[0], Mapping):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return pa.table({str(name): _array([row.get(name) for row in rows]) for name in names})
    if not isinstance(rows[0], (Sequence, np.ndarray)) or isinstance(rows[0], str):
        raise BadTable(
            "Expected 2D array, got 1D array instead. Reshape your data: one row a case, a list of its cells."
        )
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise BadTable(f"rows have {min(widths)} to {max(widths)} cells; every row needs one a column.")
    return pa.table({f"x{j}": _array([row[j] for row in rows]) for j in range(widths.pop())})


def _of_frame(data: Any) -> pa.Table:
    try:
        frame = nw.from_native(data)
    except TypeError:
        raise BadTable(
            f"{type(data).__name__} is no table; give a pandas, Polars or PyArrow frame, a NumPy matrix, or a list of "
            "dicts."
        ) from None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect("pyarrow")
    frame = nw.maybe_reset_index(frame)  # pandas would make a column of its index
    try:
        if frame.implementation.is_pandas() and len(frame) < FEW_ROWS:
            return pa.Table.from_pandas(frame.to_native(), preserve_index=False, nthreads=1)
        return frame.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return pa.table({str(name): _array(frame[name].to_numpy()) for name in frame.columns})


def _array(cells: Any) -> Any:
    """An Arrow array; cells of several types become strings."""
    if isinstance(cells, np.ndarray) and cells.dtype != object:
        return pa.array(np.ascontiguousarray(cells) if cells.dtype.kind != "g" else cells.astype(np.float64))
    if (
        isinstance(cells, np.ndarray)
        and len(cells)
        and all(type(cell) in (int, float, bool) for cell in cells.tolist())
    ):
        return pa.array(cells.astype(np.float64))
    try:
        return pa.array(cells, from_pandas=True)
    except UnicodeEncodeError:
        return pa.array([well_formed(cell) if isinstance(cell, str) else cell for cell in cells], from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        known = [None if cell is None or cell != cell else cell for cell in list(cells)]
        return pa.array([cell if cell is None else str(cell) for cell in known])


def as_numbers(name: str, column: Any) -> NDArray[np.float64]:
    """The cells as floats, NaN where there is none."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return as_numbers(name, column.cast(kind.value_type))
    if is_text(kind):
        return _parsed(name, column)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    if pa.types.is_temporal(kind):
        return _instants(column)
    try:
        column = column.cast(pa.float64(), safe=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadValue(f"column {name!r} held numbers so far and now holds {kind}; give numbers.") from None
    return np.asarray(_flat(column).to_numpy(zero_copy_only=False), dtype=np.float64)


def _parsed(name: str, column: Any) -> NDArray[np.float64]:
    try:
        return as_numbers(name, pc.utf8_trim_whitespace(column).cast(pa.float64()))
    except pa.ArrowInvalid:
        for place, cell in enumerate(column.to_pylist()):
            if cell is not None and not _is_number(cell):
                raise BadValue(
                    f"column {name!r} held numbers so far; {cell!r} in row {place} is none. Mark what is not known as "
                    "missing, or train with the column as categorical."
                ) from None
        return np.array([np.nan if cell is None else float(cell) for cell in column.to_pylist()])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _instants(column: Any) -> NDArray[np.float64]:
    """Seconds since 1970, since midnight, or of a duration."""
    kind = column.type
    if pa.types.is_date(kind):
        days = column.cast(pa.timestamp("s"), safe=False).cast(pa.int64())
        return as_numbers("", days)
    per_second = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
    whole = pa.int32() if pa.types.is_time32(kind) else pa.int64()
    return as_numbers("", column.cast(whole)) / per_second


def as_dates(seconds: NDArray[np.float64]) -> Any:
    """Seconds since 1970 as timestamps."""
    return pa.array(np.floor(seconds).astype(np.int64)).cast(pa.timestamp("s"))


def as_instants(name: str, column: Any) -> Any:
    """A column of dates or times that have hours; texts are read."""
    if pa.types.is_date(column.type):
        return column.cast(pa.timestamp("s"), safe=False)  # a date has no hour of its own
    if pa.types.is_temporal(column.type):
        return column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        return column.cast(pa.timestamp("us"))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        first = next((cell for cell in column.to_pylist() if not _is_instant(cell)), column.type)
        raise BadValue(f"column {name!r} held dates or times so far; {first!r} is none.") from None


def _is_instant(cell: Any) -> bool:
    try:
        return cell is None or bool(pa.array([cell], pa.string()).cast(pa.timestamp("us")))
    except (pa.ArrowException, TypeError):
        return False


def as_labels(column: Any) -> Encoded:
    """The distinct values of a column of strings or truth values, and the place of each cell; −1 is missing."""
    kind = column.type
    if pa.types.is_boolean(kind):
        codes = np.asarray(_flat(column.cast(pa.int8()).fill_null(-1)).to_numpy(zero_copy_only=False), np.int64)
        return Labels.of([False, True]), codes
    if pa.types.is_null(kind):
        return Labels.of([]), np.full(len(column), -1)
    held, places = words(column)
    values = _many_words(held)
    if values is None:
        values = np.empty(len(held), dtype=object)
        values[:] = [_label(value) for value in held.to_pylist()]
    names, ranks = encoded(values)
    return names, np.append(ranks, -1).take(places)


def _many_words(dictionary: Any) -> NDArray[Any] | None:
    """Many short strings as an array of NumPy's own strings, which are sorted and united without Python's help."""
    if len(dictionary) < MANY or not is_text(dictionary.type) or pc.max(pc.utf8_length(dictionary)).as_py() > SHORT:
        return None
    if pc.any(pc.match_substring(dictionary, "\0")).as_py():  # NumPy's strings end before their last NUL
        return None
    return np.asarray(dictionary.to_pylist())


def _label(value: Any) -> Any:
    """Numbers that stand for names are spelled as they would be written."""
    if isinstance(value, (str, bool)) or value is None:
        return value
    if isinstance(value, float):
        return None if value != value else str(int(value)) if value.is_integer() else str(value)
    return str(value)


def as_texts(name: str, column: Any) -> Any:
    """The cells as one array of large strings; where they are strings, their bytes are not copied."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise BadValue(f"column {name!r} holds bytes, not text; decode them: cells.decode('utf-8').")
    try:
        return _flat(column.cast(pa.large_string()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadValue(f"column {name!r} held texts so far and now holds {kind}; give strings.") from None


def as_truths(column: Any) -> Encoded:
    """True and False, however they are written; what is neither is a label of its own, which no model has seen."""
    names, codes = as_labels(column)
    if list(names) == [False, True]:
        return names, codes
    spelled = [str(name).strip().lower() for name in names]
    meant = [
        True if name in TRUE else False if name in FALSE else str(own) for name, own in zip(spelled, names, strict=True)
    ]
    found, places = encoded(np.array([*meant, None], dtype=object))
    return found, places[codes]


def part_of_time(column: Any, part: str) -> Encoded:
    """Month, weekday or hour of each cell."""
    kind = column.type
    if pa.types.is_time(kind):
        seconds = _instants(column)
        found = pa.array(np.where(np.isnan(seconds), -1, seconds // 3600), pa.int64())
    else:
        found = {"month": pc.month, "weekday": pc.day_of_week, "hour": pc.hour}[part](as_instants(part, column))
    codes = np.asarray(_flat(found.fill_null(-1)).to_numpy(zero_copy_only=False), dtype=np.int64)
    names = {"month": MONTHS, "weekday": WEEKDAYS, "hour": HOURS}[part]
    labels, ranks = encoded(np.array([*names, None], dtype=object))
    return labels, ranks[np.where(codes < 0, len(names), codes - (part == "month"))]


def is_text(kind: Any) -> bool:
    """Whether an Arrow type holds strings."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _flat(column: Any) -> Any:
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()  # which would copy even one


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS = tuple(f"{hour:02}h" for hour in range(24))
