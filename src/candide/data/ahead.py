"""Reading while counting."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from queue import Empty, Full, Queue
from typing import TypeVar

T = TypeVar("T")

WAIT = 0.1  # seconds until who waits looks whether anybody is left


def ahead(items: Generator[T], most: int = 4) -> Iterator[T]:
    """The items in order, fetched in a thread, up to `most` of them before they are asked for.

    What goes wrong there goes wrong here; when nobody asks any more, the thread ends and `items` is closed.

    >>> list(ahead(n * n for n in range(4)))
    [0, 1, 4, 9]
    """
    waiting: Queue[tuple[T] | BaseException | None] = Queue(most)
    gone = threading.Event()

    def put(item: tuple[T] | BaseException | None) -> None:
        while not gone.is_set():
            try:
                waiting.put(item, timeout=WAIT)
                return
            except Full:
                continue

    def fetch() -> None:
        try:
            with closing(items):
                for item in items:
                    put((item,))
                    if gone.is_set():
                        return
        except BaseException as fault:
            put(fault)
        else:
            put(None)

    thread = threading.Thread(target=fetch, name="candide-ahead", daemon=True)
    thread.start()
    try:
        while True:
            try:
                found = waiting.get(timeout=WAIT)  # not for ever: an interrupt must get through
            except Empty:
                continue
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found[0]
    finally:
        gone.set()
        thread.join()
