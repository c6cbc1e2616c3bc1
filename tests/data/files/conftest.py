"""Files with given bytes, and what is read from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from candide.data.files import Files

Read = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, bytes | str], str]:
    """Write a file, give its path."""

    def write(name: str, data: bytes | str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return write


@pytest.fixture
def read(put: Callable[[str, bytes | str], str]) -> Read:
    """The rows of a file of given bytes."""

    def rows(data: bytes | str, name: str = "t.csv", **options: Any) -> list[dict[str, Any]]:
        with Files.open(put(name, data), **options) as files:
            found = [row for batch in files.batches() for row in batch.to_pylist()]
            assert all(tuple(row) == files.names for row in found)
            return found

    return rows
