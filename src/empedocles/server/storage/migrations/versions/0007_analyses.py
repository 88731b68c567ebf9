"""What engines have said about matches and positions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "remarks",
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("way", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("remarks_by_at", "remarks", ["at"])
    op.create_table(
        "evaluations",
        sa.Column("position", sa.String(64), primary_key=True),
        sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), nullable=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("evaluations_by_match", "evaluations", ["match"])
    op.create_index("evaluations_by_at", "evaluations", ["at"])


def downgrade() -> None:
    op.drop_table("evaluations")
    op.drop_table("remarks")
