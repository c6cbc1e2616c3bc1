"""Row blocks in threads: every row once, in any process, from any thread, and no fault is lost."""

from __future__ import annotations

import multiprocessing
import sys
import threading

import numpy as np
import pytest

from candide.kernels.threads import rows_in_cache, run, thread_count


@pytest.fixture(autouse=True)
def _two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("candide.kernels.threads.thread_count", lambda: 2)


def summed(n: int, block: int | None) -> int:
    x = np.arange(n)
    return sum(run(lambda lo, hi: int(x[lo:hi].sum()), n, row_cost=1000, block=block))


@pytest.mark.parametrize("n", [0, 1, 2, 99, 1000])
@pytest.mark.parametrize("block", [None, 1, 7, 5000])
def test_every_row_once_and_in_order(n: int, block: int | None) -> None:
    edges = run(lambda lo, hi: (lo, hi), n, row_cost=10**6, block=block)
    assert [i for lo, hi in edges for i in range(lo, hi)] == list(range(n))


def test_small_work_stays_here() -> None:
    assert run(lambda lo, hi: threading.get_ident(), 1000, row_cost=10) == [threading.get_ident()]


def test_the_first_fault_is_raised() -> None:
    def task(lo: int, hi: int) -> None:
        raise ValueError(f"row {lo}")

    with pytest.raises(ValueError, match="row 0"):
        run(task, 1000, row_cost=1000)
    assert summed(1000, 10) == 499500


def test_blocks_may_make_blocks() -> None:
    assert sum(run(lambda lo, hi: summed(hi - lo, 10), 2000, row_cost=1000)) == 2 * 499500


def test_four_threads_at_once() -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(summed(10_000, 100))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [49995000] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own() -> None:
    assert summed(10_000, 100) == 49995000
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    child = context.Process(target=lambda: answers.put(summed(10_000, 100)))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert answers.get() == 49995000


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_THREADS", "1")
    assert thread_count() == 1
    assert rows_in_cache(2) * 2 * 8 <= 1 << 20
