"""Indices for fair lists of tables, and for expiry."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_index("matches_in_lists", "matches", ["status", "listed", "creator", "touched"])
    op.create_index("players_by_created", "players", ["created"])


def downgrade() -> None:
    op.drop_index("players_by_created")
    op.drop_index("matches_in_lists")
