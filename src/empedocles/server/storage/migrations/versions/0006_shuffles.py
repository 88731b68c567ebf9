"""Players decide chance together with the server: new kinds of events, in the same columns."""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    pass  # the new version alone makes earlier programs refuse the database, instead of failing at a table
