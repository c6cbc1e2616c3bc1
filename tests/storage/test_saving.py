"""A save is whole or has not happened."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from models import mixed

from candide.errors import NotStorable
from candide.labels import Labels
from candide.storage import load, replace, save

OLD = Labels.of(["old"])
NEW = Labels.of(["new"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An older model lies where the new one goes."""
    save(OLD, tmp_path / "model.candide")
    return tmp_path / "model.candide"


def untouched(path: Path) -> None:
    """The old model is there, and nothing else."""
    assert load(path) == OLD
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_a_save_takes_the_place_of_the_old_model(path: Path) -> None:
    save(NEW, path)
    assert load(path) == NEW
    assert [found.name for found in path.parent.iterdir()] == [path.name]


class Full:
    """A file on a disk that fills up."""

    def __init__(self, how: tuple[Any, ...], error: BaseException, room: int) -> None:
        self._file, self._error, self._room = open(*how), error, room  # noqa: SIM115

    def __enter__(self) -> Full:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: Any) -> None:
        data = bytes(data)
        self._file.write(data[: self._room])
        self._room -= len(data)
        if self._room < 0:
            raise self._error


@pytest.mark.parametrize("room", [0, 100, 700])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_while_writing_leaves_the_old_model(
    path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, room: int
) -> None:
    monkeypatch.setattr(replace, "open", lambda *how: Full(how, error, room), raising=False)
    with pytest.raises(type(error)) as caught:
        save(mixed(), path)
    monkeypatch.undo()
    if isinstance(error, OSError):
        assert caught.value.errno == errno.ENOSPC
        assert caught.value.filename == str(path)
        assert "the model was not saved" in str(caught.value)
    untouched(path)


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
def test_a_failure_at_any_later_step_leaves_the_old_model(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*arguments: Any) -> None:
        raise error

    monkeypatch.setattr(replace.os, step, fail)
    with pytest.raises(type(error)):
        save(NEW, path)
    monkeypatch.undo()
    untouched(path)


LIMITED = """
import resource, sys
from candide.labels import Labels
from candide.storage import save
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
save(Labels.of([f"name {i}" for i in range(10_000)]), sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_file_that_the_system_cuts_short_leaves_the_old_model(path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True)
    assert "OSError" in done.stderr
    assert "the model was not saved" in done.stderr
    untouched(path)


@pytest.fixture
def sealed(path: Path) -> Iterator[Path]:
    """The model in a folder where nobody may write, root included."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    path.parent.chmod(0o500)
    if root:  # which may write anywhere
        os.seteuid(65534)
    yield path
    if root:
        os.seteuid(0)
    path.parent.chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="folders of Windows have no such mode")
def test_a_folder_that_cannot_be_written_to_is_named(sealed: Path) -> None:
    with pytest.raises(PermissionError, match=r"the model was not saved: .*model\.candide"):
        save(NEW, sealed)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere.model\.candide"):
        save(NEW, tmp_path / "nowhere" / "model.candide")


def test_a_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="this is a folder; the model was not saved"):
        save(NEW, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="device or a pipe"):
        save(NEW, tmp_path / "pipe")
    assert [found.name for found in tmp_path.iterdir()] == ["pipe"]


def test_a_value_that_cannot_be_saved_leaves_the_old_model(path: Path) -> None:
    with pytest.raises(NotStorable):
        save((NEW, object()), path)
    untouched(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes and few links")
def test_modes_and_links_stay(path: Path) -> None:
    path.chmod(0o640)
    link = path.parent / "link.candide"
    link.symlink_to(path)
    save(NEW, link)
    assert link.is_symlink()
    assert load(path) == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_model_can_be_saved_over_the_file_it_was_loaded_from(path: Path) -> None:
    save(mixed(), path)
    model = load(path)
    save(model + model, path)
    assert load(path).tally.seen.weights.sum() == 12
    assert model.tally.seen.weights.sum() == 6
