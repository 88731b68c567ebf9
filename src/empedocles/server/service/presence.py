"""Players' presence: signs of life, which processes share through the database."""

from __future__ import annotations

from empedocles.server.domain.moments import now
from empedocles.server.domain.table import Table
from empedocles.server.service.tables import Tables

FORGET = 3600.0  # seconds after which it no longer matters when somebody was connected
SIGNS = 10.0  # seconds between signs of life that are shared with other processes
RECENT = 60.0  # seconds: more than processes need to share who is connected


class Presence(Tables):
    def saw(self, table: Table, player: str) -> None:
        """Note a player's sign of life: a connection or a request."""
        for seat in table.owned(player):
            self.seen[table.id, seat] = now()

    async def share_presence(self) -> None:
        """Tell other processes who is connected to this one, and hear from them."""
        moment = now()
        for seat in [seat for seat, at in self.seen.items() if at < moment - FORGET]:
            del self.seen[seat]
            self._told.pop(seat, None)
        fresh = [seat for seat in self.seen.connected() if self.seen[seat] > self._told.get(seat, 0.0) + SIGNS]
        if fresh:
            await self.store.saw(fresh, moment)
            self._told |= dict.fromkeys(fresh, moment)
        self._heard(await self.store.seen(moment - RECENT))

    def _heard(self, seen: dict[tuple[str, int], float]) -> None:
        for seat, at in seen.items():
            if at > self.seen.get(seat, 0.0) and at != self._told.get(seat):
                self.seen[seat] = self._told[seat] = at
