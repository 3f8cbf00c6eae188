"""What alembic runs: the revisions, on the connection that `connection.py` hands it."""

from alembic import context

from blocks.station.schema import METADATA, REVISION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=REVISION_TABLE,
    transaction_per_migration=False,
)
context.run_migrations()
