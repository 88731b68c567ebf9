"""Files that take long to make, such as a GIF of a match, kept for who wants them next."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

from empedocles.server.tables import Refused

MOST_BYTES = 64_000_000
MOST_AT_ONCE = 16  # in the making, waiting included: more would only stand in line


class Made:
    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.size = most, 0
        self._files: OrderedDict[Hashable, bytes] = OrderedDict()
        self._making: dict[Hashable, asyncio.Task[bytes]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """A file by what it shows; who asks while it is being made waits for that."""
        if key in self._files:
            self._files.move_to_end(key)
            return self._files[key]
        if key not in self._making:
            if len(self._making) >= MOST_AT_ONCE:
                raise Refused("busy", f"{MOST_AT_ONCE} files are being made: try again in a moment", 503)
            making = self._making[key] = asyncio.create_task(self._make(key, make))
            making.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may wait any more
        return await asyncio.shield(self._making[key])  # one reader that leaves must not stop it for the others

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            data = self._files[key] = await make()
        finally:
            del self._making[key]
        self.size += len(data)
        while self.size > self.most and len(self._files) > 1:
            self.size -= len(self._files.popitem(last=False)[1])
        return data
