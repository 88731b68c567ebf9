"""Players' presence: when each was last connected, and when one counts as gone."""

from __future__ import annotations

from empedocles.server.domain.events import PERSON
from empedocles.server.domain.table import PLAYING, Table

PRESENT = 45.0  # seconds after a sign of life for which a player counts as present: other processes hear of it late
ABANDONED = 120.0  # seconds without one after which a player counts as gone, unless moves have days

Place = tuple[str, int]  # match and seat


class Seen(dict[Place, float]):
    """When the player of a seat was last connected."""

    def __init__(self, abandoned: float = ABANDONED) -> None:
        super().__init__()
        self.abandoned = abandoned
        self._left: set[Place] = set()  # players who said that they left: no need to wait
        self._came: dict[Place, float] = {}  # the first sign of life after an absence

    def __setitem__(self, place: Place, at: float) -> None:
        if place in self._left or at - self.get(place, 0.0) > PRESENT:
            self._came[place] = at
        self._left.discard(place)
        super().__setitem__(place, at)

    def __delitem__(self, place: Place) -> None:
        self._left.discard(place)
        self._came.pop(place, None)
        super().__delitem__(place)

    def came(self, place: Place) -> float:
        """Since when the player has been present without a break."""
        return self._came.get(place, 0.0)

    def forget(self, match: str) -> None:
        """Forget a deleted match."""
        for place in [place for place in self if place[0] == match]:
            del self[place]

    def leave(self, place: Place, at: float) -> None:
        self[place] = at
        self._left.add(place)

    def connected(self) -> list[Place]:
        return sorted(self.keys() - self._left)

    def here(self, table: Table, now: float) -> list[bool]:
        """For each seat, whether its player is connected."""
        places = [(table.id, seat) for seat in range(len(table.seats))]
        return [place not in self._left and now - self.get(place, 0.0) < PRESENT for place in places]

    def gone_in(self, table: Table, now: float) -> float | None:
        """Seconds until the seat to move counts as abandoned, without another sign of life from its player."""
        mover = table.match.to_move
        if table.status != PLAYING or table.clock.kind == "days" or mover is None or table.seats[mover].kind != PERSON:
            return None
        return round(self.abandoned - (now - max(self.get((table.id, mover), 0.0), table.turned)), 1)
