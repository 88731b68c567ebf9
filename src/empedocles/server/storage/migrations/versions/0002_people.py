"""Machines' boots, positions being played, and revoked tokens."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "boots",
        sa.Column("boot", sa.String(60), primary_key=True),
        sa.Column("offset", sa.Float, nullable=False),
        sa.Column("latest", sa.Float, nullable=False),
    )
    # For matches in progress, it is written when they are next loaded.
    op.add_column("matches", sa.Column("position", sa.String(64), nullable=False, server_default=""))
    shown = sa.text("position <> ''")
    op.create_index("matches_by_position", "matches", ["position"], postgresql_where=shown, sqlite_where=shown)
    op.create_table(
        "revocations",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("revocations")
    op.drop_index("matches_by_position", "matches")
    op.drop_column("matches", "position")
    op.drop_table("boots")
