"""The tables of a station; `migrations/` makes the same of an empty database, or of an older one."""

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

REVISION = "0002"
"""The newest of `migrations/versions`."""
REVISION_TABLE = "compass_revision"
"""Not alembic's own name: other programs keep their tables in the same database."""

METADATA = MetaData()

RUNS = Table(
    "compass_runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("folder", Text, nullable=False),
    Column("host", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("versions", JSON, nullable=False),
)

PAIRS = Table(
    "compass_pairs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("run_id", Integer, ForeignKey("compass_runs.id"), nullable=False),
    Column("model", Text, nullable=False),
    Column("dataset", Text, nullable=False),
    Column("model_identity", String(64), nullable=False),
    Column("recipe", String(64), nullable=False),
    Column("data", String(64), nullable=False),
    Column("scoring", String(64), nullable=False),
    Column("selection", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("score_key", Text, nullable=False),
    Column("scored_at", Text, nullable=False),
    Column("samples", Integer, nullable=False),
    Column("errors", Integer, nullable=False),
    Column("results", JSON, nullable=False),
    Column("config", JSON, nullable=False),
    Index("compass_pairs_names", "model", "dataset"),
)

SCORES = Table(
    "compass_scores",
    METADATA,
    Column("pair_id", Integer, ForeignKey("compass_pairs.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("metric", Text, nullable=False),
    Column("value", Float),
    Column("stderr", Float),
)
"""`position` is the order in which summaries show the metrics: the first is the main one."""

SAMPLES = Table(
    "compass_samples",
    METADATA,
    Column("pair_id", Integer, ForeignKey("compass_pairs.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("prediction", JSON, nullable=False),
    Column("detail", JSON, nullable=False),
)
