"""How long does `candide train` take beside the reading of its file?"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks import mixed, real
from benchmarks.race import Lap, MeasureRow, Options, Table

TITLE = "Training from a file"
QUESTION = """\
`candide train` on 5,000,000 rows of 14 columns, as a command: from the start of the interpreter to the model file. The
rows are drawn from the census table adult, every column by itself among the rows of its class (or a synthetic table of
its shape, where it is absent). Beside it stands a process that does nothing but read the file with DuckDB, with its own
types, as Arrow batches. Both take turns; the best of several."""

ROWS, MEGABYTES = 5_000_000, 1_000
BARS = {"csv": 2.0, "parquet": 3.0}
READ = """
import sys, duckdb
reader = duckdb.connect().sql(f"SELECT * FROM read_{sys.argv[2]}('{sys.argv[1]}')").to_arrow_reader(1 << 17)
assert sum(batch.num_rows for batch in reader) == int(sys.argv[3])
"""


def drawn(options: Options, rows: int) -> pa.Table:
    """A table of many different rows in the shape of adult; the label is called label."""
    rng = np.random.default_rng(0)
    if not (options.data / "adult.parquet").exists():
        X, y = mixed.synthetic(rows)
        return pa.Table.from_pandas(X.assign(label=y), preserve_index=False)
    table = real.read(options.data, "adult").drop_columns(["split"])
    label = table["label"].to_numpy(zero_copy_only=False)
    groups = [np.flatnonzero(label == name) for name in np.unique(label)]
    which = rng.choice(len(groups), rows, p=[len(group) / len(label) for group in groups])
    columns = {}
    for name in table.column_names:
        places = np.empty(rows, dtype=np.int64)
        for c, group in enumerate(groups):
            places[which == c] = rng.choice(group, int((which == c).sum()))
        columns[name] = table[name].take(pa.array(places))
    return pa.table(columns)


def write(options: Options, rows: int, csv: Path, parquet: Path) -> None:
    """Both files; in a process of its own, since the memory of a parent counts as its children's peak."""
    made = drawn(options, rows)
    pyarrow.csv.write_csv(made, csv)
    pyarrow.parquet.write_table(made, parquet)


def timed(words: list[str]) -> tuple[Lap, float]:
    """Wall and CPU seconds of a process, which may keep compiled modules, and its peak memory in MB."""
    began = time.perf_counter()
    setting = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=setting)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    if status:
        raise AssertionError(f"{' '.join(words)} ended with {status}")
    per_mb = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Lap(wall, used.ru_utime + used.ru_stime), used.ru_maxrss / per_mb


def raced(path: Path, kind: str, rows: int, options: Options) -> Iterator[MeasureRow]:
    """Training and reading in turns."""
    train = [sys.executable, "-m", "candide", "train", str(path), "-l", "label", "-o", str(path) + ".candide"]
    read = [sys.executable, "-c", READ, str(path), kind, str(rows)]
    times: dict[str, Lap] = {}
    peak = 0.0
    for _ in range(options.rounds):
        for name, words in (("read", read), ("train", train)):
            lap, memory = timed(words)
            times[name] = times[name].best(lap) if name in times else lap
            peak = max(peak, memory) if name == "train" else peak
    ours, theirs = times["train"], times["read"]
    ratio, bar = ours.wall / theirs.wall, options.aim(BARS[kind])
    note = f"{ratio:.2f} x; CPU {ours.cpu:.2f} / {theirs.cpu:.2f} s; {path.stat().st_size / 1e6:,.0f} MB on disk"
    yield MeasureRow(f"train, {rows:,} rows of {kind}", f"{ours.wall:.2f} s", f"{theirs.wall:.2f} s (reading alone)",
                     f"<= {BARS[kind]:g} x", None if bar is None else ratio <= bar, note)  # fmt: skip
    yield MeasureRow(f"peak memory, {kind}", f"{peak:,.0f} MB", "", f"< {MEGABYTES:,} MB",
                     None if options.quick else peak < MEGABYTES)  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """Both formats, from a folder that is removed."""
    rows = options.size(ROWS, 50_000)
    with tempfile.TemporaryDirectory() as folder:
        csv, parquet = Path(folder) / "rows.csv", Path(folder) / "rows.parquet"
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
            other.submit(write, options, rows, csv, parquet).result()
        yield Table("Files", (*raced(csv, "csv", rows, options), *raced(parquet, "parquet", rows, options)))
