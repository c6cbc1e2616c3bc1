"""Row blocks in a thread pool: kernels release the interpreter lock, so that plain threads are enough.

    parts = run(lambda lo, hi: count(X[lo:hi]), len(X), row_cost=d)                          # reduce: a block a thread
    run(lambda lo, hi: score(X[lo:hi], out[lo:hi]), len(X), row_cost=d * k, block=rows_in_cache(k))  # map

The calling thread works too and takes whatever blocks are left, so nothing waits for a busy pool: calls from several
threads at once, and calls from within a block, always advance.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import Generic, TypeVar

__all__ = ["rows_in_cache", "run", "thread_count"]

T = TypeVar("T")

SMALL = 100_000  # operations; waking a thread costs about as much as these
CACHE_BYTES = 1 << 18  # a quarter of a usual L2, so that the rows read have room beside the scores


def thread_count() -> int:
    """The processors this process may use, but not more than CANDIDE_THREADS or OMP_NUM_THREADS where they are set."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        count = os.cpu_count() or 1
    for name in ("CANDIDE_THREADS", "OMP_NUM_THREADS"):
        text = os.environ.get(name, "").split(",")[0].strip()
        if text.isdigit() and int(text) > 0:
            count = min(count, int(text))
    return count


def rows_in_cache(classes: int) -> int:
    """How many rows of `classes` scores stay in the second-level cache while several kernels work on them."""
    return max(16, CACHE_BYTES // (8 * max(1, classes)))


def run(
    task: Callable[[int, int], T],
    n_rows: int,
    *,
    row_cost: int = 1,
    block: int | None = None,
    cuts: list[int] | None = None,
) -> list[T]:
    """Call task(lo, hi) over blocks that cover range(n_rows); return the answers in the order of the rows.

    Without `block` each thread gets one block (so that few accumulators are made); with it, blocks hold that many rows
    and threads take the next one as they come free; `cuts` (0, ..., n_rows) are blocks of one's own.
    `row_cost` is roughly the operations a row needs: small work runs here and now, without a pool. The first exception,
    in row order, is raised once no block is running any more.
    """
    threads = thread_count() if n_rows * row_cost >= SMALL else 1
    if cuts is not None:
        pass
    elif block is None:
        cuts = [n_rows * t // threads for t in range(threads + 1)]
    else:
        cuts = [*range(0, n_rows, max(1, block)), n_rows]
    edges = [(lo, hi) for lo, hi in pairwise(cuts) if lo < hi] or [(0, n_rows)]
    if threads == 1 or len(edges) == 1:
        return [task(lo, hi) for lo, hi in edges]
    return _Blocks(task, edges).shared(min(threads, len(edges)))


class _Blocks(Generic[T]):
    """Blocks still to be done, and the answers of those that are."""

    def __init__(self, task: Callable[[int, int], T], edges: list[tuple[int, int]]) -> None:
        self.task, self.edges = task, edges
        self.next = iter(range(len(edges)))
        self.lock = threading.Lock()
        self.answers: dict[int, T] = {}
        self.faults: dict[int, BaseException] = {}

    def work(self) -> None:
        """Take blocks until none is left or one has failed."""
        while not self.faults:
            with self.lock:
                i = next(self.next, None)
            if i is None:
                return
            try:
                self.answers[i] = self.task(*self.edges[i])
            except BaseException as fault:  # an interrupt, too, must wait for the other threads
                self.faults[i] = fault

    def shared(self, threads: int) -> list[T]:
        """Work here and in threads - 1 others; leave when nobody is at work."""
        helpers = [_submit(self.work) for _ in range(threads - 1)]
        self.work()
        for helper in helpers:
            if not helper.cancel():
                helper.result()
        if self.faults:
            raise self.faults[min(self.faults)]
        return [self.answers[i] for i in range(len(self.edges))]


_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
_pid = -1


def _submit(work: Callable[[], None]) -> Future[None]:
    """Hand work to the pool of this process; a forked child has none of its parent's threads and makes its own."""
    global _pool, _pid
    with _lock:
        if _pool is None or _pid != os.getpid():
            _pool, _pid = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="candide"), os.getpid()
        return _pool.submit(work)


def _after_fork() -> None:
    """A lock that another thread held at the fork would stay locked in the child."""
    global _lock, _pool
    _lock, _pool = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
