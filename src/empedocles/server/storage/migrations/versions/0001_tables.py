"""Players, matches, their seats and their logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("start", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("clock", sa.JSON, nullable=False),
        sa.Column("listed", sa.Integer, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("creator", sa.String(24), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.Column("bot_due", sa.Integer, nullable=False),
        sa.Column("bot_until", sa.Float, nullable=False),
        sa.Column("bot_number", sa.Integer, nullable=False),
    )
    op.create_index("matches_by_status", "matches", ["status", "touched"])
    op.create_index("matches_by_creator", "matches", ["creator"])
    op.create_index("matches_with_bots", "matches", ["bot_due", "touched"])
    op.create_table(
        "seats",
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("agent", sa.String(60), nullable=False),
        sa.Column("owner", sa.String(24), nullable=False),
        sa.Column("invite", sa.String(64), nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_index("seats_by_owner", "seats", ["owner"])
    op.create_index("seats_by_seen", "seats", ["seen"])
    op.create_table(
        "log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.UniqueConstraint("match", "number"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    for name in ("log", "seats", "matches", "players"):
        op.drop_table(name)
