"""Libraries of the extra `report`, imported where they are needed."""

from collections.abc import Generator
from contextlib import contextmanager

from tasks.spec.findings import Finding, UserError


@contextmanager
def report_extra() -> Generator[None]:
    """Around imports: what is not installed becomes a UserError with the line that installs it."""
    try:
        yield
    except ImportError as error:
        remedy = "pip install 'compass-llm-eval[report]'"
        raise UserError(
            Finding(f"reports and comparisons need the package {error.name or error}", remedy=remedy)
        ) from error
