"""Wakes everyone in this process who waits for news of a table."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterator


class News(asyncio.Event):
    """Set when there is something new for a reader."""

    doubts = 0  # how often the reader's token had to be checked again


class Hub:
    """Readers of tables. Each has an event that is set when there is news; the reader then looks at the table."""

    def __init__(self) -> None:
        self._readers: defaultdict[str, set[News]] = defaultdict(set)
        self._holders: defaultdict[str, set[News]] = defaultdict(set)  # the same readers, by digest of their token
        self.everything: set[Callable[[str, int], None]] = set()  # callbacks that hear of all tables, such as bots'

    def tell(self, match: str, number: int) -> None:
        self.wake(match)
        for listener in self.everything:
            listener(match, number)

    def wake(self, match: str) -> None:
        for reader in self._readers.get(match, ()):
            reader.set()

    def wake_all(self) -> None:
        """Wake all readers: something may have happened at any table."""
        for match in self._readers:
            self.tell(match, 0)

    def doubt(self, digest: str) -> None:
        """Have readers with this token check it again: it may have been revoked."""
        for reader in self._holders.get(digest, ()):
            reader.doubts += 1
            reader.set()

    def doubt_all(self) -> None:
        for digest in self._holders:
            self.doubt(digest)

    @contextlib.contextmanager
    def reading(self, match: str, digest: str = "") -> Iterator[News]:
        news = News()
        places = [(self._readers, match)] + ([(self._holders, digest)] if digest else [])
        for readers, name in places:
            readers[name].add(news)
        try:
            yield news
        finally:
            for readers, name in places:
                readers[name].discard(news)
                if not readers[name]:
                    del readers[name]
