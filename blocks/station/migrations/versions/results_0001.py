"""Runs, pairs and scores."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "compass_runs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        *[sa.Column(name, sa.Text, nullable=False) for name in ("name", "folder", "host", "started")],
        sa.Column("versions", sa.JSON, nullable=False),
    )
    op.create_table(
        "compass_pairs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("run_id", sa.Integer, sa.ForeignKey("compass_runs.id"), nullable=False),
        *[sa.Column(name, sa.Text, nullable=False) for name in ("model", "dataset")],
        *[sa.Column(name, sa.String(64), nullable=False) for name in ("model_identity", "recipe", "data", "scoring")],
        *[sa.Column(name, sa.Text, nullable=False) for name in ("selection", "mode", "version", "score_key")],
        sa.Column("scored_at", sa.Text, nullable=False),
        *[sa.Column(name, sa.Integer, nullable=False) for name in ("samples", "errors")],
        *[sa.Column(name, sa.JSON, nullable=False) for name in ("results", "config")],
    )
    op.create_index("compass_pairs_names", "compass_pairs", ["model", "dataset"])
    op.create_table(
        "compass_scores",
        sa.Column("pair_id", sa.Integer, sa.ForeignKey("compass_pairs.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("metric", sa.Text, nullable=False),
        *[sa.Column(name, sa.Float) for name in ("value", "stderr")],
    )
