"""Which twin does the work, and what it costs to have asked."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

from candide.errors import BadSetting
from candide.kernels import CELLS_IN_ALL, CELLS_ONCE_IMPORTED, CELLS_TO_IMPORT, at_hand, compiled, for_work, plain


def test_large_work_is_compiled_and_small_is_not() -> None:
    assert for_work(CELLS_ONCE_IMPORTED) is compiled
    assert for_work(CELLS_ONCE_IMPORTED - 1) is plain


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", "plain")
    assert for_work(10**9) is plain
    monkeypatch.setenv("CANDIDE_KERNELS", "compiled")
    assert for_work(1) is compiled
    monkeypatch.setenv("CANDIDE_KERNELS", "fast")
    with pytest.raises(ValueError, match="'fast'"):
        for_work(1)


def test_nobody_waits_for_a_twin_that_is_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_hand(10**9) is compiled
    monkeypatch.delattr(compiled, "READY")
    assert at_hand(10**9) is plain
    monkeypatch.setenv("CANDIDE_KERNELS", "compiled")
    assert at_hand(10**9) is compiled


def _elsewhere(code: str) -> str:
    """What a fresh Python prints."""
    setting = {**os.environ, "CANDIDE_KERNELS": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=setting, check=True)
    return done.stdout.strip()


def test_small_work_never_imports_numba() -> None:
    size = CELLS_TO_IMPORT - 1
    code = f"import sys; from candide.kernels import *; print(for_work({size}) is plain, 'numba' in sys.modules)"
    assert _elsewhere(code) == "True False"


def test_who_calls_often_gets_compiled_kernels() -> None:
    calls = CELLS_IN_ALL // 1_000_000
    code = (
        "import sys; from candide.kernels import *\n"
        f"chosen = [for_work(1_000_000) is plain for _ in range({calls})]\n"
        "print(all(chosen[:-1]), chosen[-1], for_work(1) is plain)"
    )
    assert _elsewhere(code) == "True False True"


def test_without_numba_there_is_plain() -> None:
    code = "import sys; sys.modules['numba'] = None; from candide.kernels import *; print(for_work(10**9) is plain)"
    assert _elsewhere(code) == "True"


def test_read_only_and_writable_inputs_share_one_compiled_form() -> None:
    X, y, pivot, table = np.ones((10, 3), np.float32), np.zeros(10, np.uint8), np.zeros((1, 3)), np.ones((6, 7))
    codes, offsets = np.ones((10, 3), np.int16), np.array([0, 2, 4])

    def call() -> tuple[int, ...]:
        compiled.moments(X, y, None, pivot, *(np.zeros((1, 3)) for _ in range(5)))
        compiled.add_quadratic(X, pivot, pivot, pivot, np.zeros((10, 1)))
        compiled.add_lookup(codes, offsets, np.full(3, 2), table, np.ones((3, 7)), np.zeros((10, 7)))
        names = ("moments", "_moments"), ("numeric", "_quadratic_columns"), ("discrete", "_lookup")
        rooms = [(import_module(f"candide.kernels.compiled.{room}"), name) for room, name in names]
        return tuple(len(getattr(room, name).signatures) for room, name in rooms)

    before = call()
    for array in (X, y, pivot, table, codes, offsets):
        array.flags.writeable = False
    assert call() == before


def test_a_setting_that_cannot_be_is_an_error_of_candides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", "fast")
    with pytest.raises(BadSetting, match="'fast'; it may be 'plain', 'compiled' or not set"):
        for_work(1)
