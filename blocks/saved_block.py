"""Reads a block that somebody saved on the Prefect server."""

from typing import Any

from tasks.spec.findings import UserError


def load_block(base: Any, reference: str) -> Any:
    """The block `TYPE/NAME`, loaded by Prefect's `Block` class; None if there is none, UserError if it is unusable."""
    try:
        return base.load(reference)
    except ValueError:  # not found
        return None
    except Exception as error:
        raise UserError(f"the block {reference} cannot be loaded: {type(error).__name__}") from error
