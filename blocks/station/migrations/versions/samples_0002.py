"""Samples, where they are to be kept."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Makes their table."""
    op.create_table(
        "compass_samples",
        sa.Column("pair_id", sa.Integer, sa.ForeignKey("compass_pairs.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        *[sa.Column(name, sa.JSON, nullable=False) for name in ("prediction", "detail")],
    )
