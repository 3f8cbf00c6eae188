"""The block that holds a station's address, password included."""

from prefect.blocks.core import Block
from pydantic import Field, SecretStr

from blocks.saved_block import load_block
from tasks.spec.findings import Finding, UserError

__all__ = ["DatabaseBlock", "load_address"]


class DatabaseBlock(Block):
    """A results station; used as `--station-path block://NAME`."""

    _block_type_name = "Results Station"
    _block_type_slug = "results-station"

    url: SecretStr = Field(description="postgresql://user:password@host/database, sqlite:////path/to/file, or a folder")


def load_address(name: str) -> str:
    """The address in a saved block; UserError if the server has none of that name."""
    slug = str(DatabaseBlock.get_block_type_slug())
    reference = name if "/" in name else f"{slug}/{name}"
    block: Block | None = load_block(Block, reference)
    if block is None:
        remedy = "`prefect block ls` shows the saved ones; docs/station.md tells how to save one"
        raise UserError(Finding(f"the Prefect server has no block {reference}", remedy=remedy))
    if not isinstance(block, DatabaseBlock):
        raise UserError(f"the block {reference} holds no address of a station")
    return block.url.get_secret_value()
