"""Cells of CSV as Arrow reads them: they mean what they mean to a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 23  # bytes that become a batch
HEAD = 1 << 18  # bytes that tell in which columns words come again
AGAIN = 4  # times, on average
TRUTHS = ["true", "True", "TRUE"], ["false", "False", "FALSE"]


def options(names: list[str], kinds: dict[str, Any], mark: str) -> dict[str, Any]:
    """Arrow's, so that cells mean what they mean to a query: no word is a gap, nor a quoted empty cell."""
    import pyarrow.csv as pc

    return {
        "read_options": pc.ReadOptions(column_names=names, block_size=BLOCK),
        "parse_options": pc.ParseOptions(delimiter=mark, newlines_in_values=True),
        "convert_options": pc.ConvertOptions(
            column_types=kinds,
            null_values=[""],
            true_values=TRUTHS[0],
            false_values=TRUTHS[1],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            check_utf8=False,  # who takes the batch checks each word once
        ),
    }


def recurring(head: bytes, names: list[str], kinds: dict[str, Any], mark: str) -> dict[str, Any]:
    """Dictionaries, for the columns of strings in which few words come again and again."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv

    try:
        table = pa.csv.read_csv(pa.BufferReader(head), **options(names, kinds, mark))
    except pa.ArrowInvalid:  # an empty one, or one that ends amid a cell
        return {}
    strings = [name for name in names if pa.types.is_string(kinds[name])]
    few = [name for name in strings if pc.count_distinct(table[name]).as_py() * AGAIN <= len(table)]
    return dict.fromkeys(few, pa.dictionary(pa.int32(), pa.string()))


def has_quotes(batch: pa.RecordBatch) -> bool:
    """Whether a cell of text holds a quote."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for column in batch.columns:
        cells = column.dictionary if pa.types.is_dictionary(column.type) else column
        if pa.types.is_string(cells.type) and pc.any(pc.match_substring(cells, '"')).as_py():
            return True
    return False
