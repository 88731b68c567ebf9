"""Puzzles that visitors find wanting."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "complaints",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("puzzle", sa.String(8), nullable=False),
        sa.Column("reason", sa.String(12), nullable=False),
        sa.Column("note", sa.String(300), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("complaints_by_at", "complaints", ["at"])


def downgrade() -> None:
    op.drop_table("complaints")
