"""A cache of files that take long to make, such as the GIF of a match."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sized
from typing import Generic, TypeVar

T = TypeVar("T")
MOST_BYTES = 32_000_000


def _length(made: object) -> int:
    assert isinstance(made, Sized)
    return len(made)


class Made(Generic[T]):
    def __init__(self, most: int = MOST_BYTES, weigh: Callable[[T], int] = _length) -> None:
        """`most` is the total to keep, in bytes as counted by `weigh`."""
        self.most, self.weigh, self.size = most, weigh, 0
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[T]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """The file for a key; concurrent requests wait for the same one to be made."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._making:
            making = self._making[key] = asyncio.create_task(self._make(key, make))
            making.add_done_callback(lambda task: task.cancelled() or task.exception())  # perhaps nobody waits for it
        return await asyncio.shield(self._making[key])  # a reader that leaves must not stop it for the others

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        try:
            made = await make()
        finally:
            del self._making[key]
        self._kept[key] = made
        self.size += self.weigh(made)
        while self.size > self.most and len(self._kept) > 1:
            self.size -= self.weigh(self._kept.popitem(last=False)[1])
        return made
