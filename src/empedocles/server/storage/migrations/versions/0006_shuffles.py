"""Players decide chance together with the server: events that earlier programs do not know, in the same columns."""

from __future__ import annotations

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    pass  # earlier programs refuse the database by its version, and need not stumble over a table
