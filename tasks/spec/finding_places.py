"""Gives findings the place in the user's configuration that they come from."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.specs import DatasetSpec, ModelSpec


@contextmanager
def findings_at(place: Place) -> Generator[None, None, None]:
    """Puts `place` on every finding raised inside that does not name one itself."""
    try:
        yield
    except UserError as error:
        raise UserError([_placed(finding, place) for finding in error.findings]) from error.__cause__


def place_in(entry: DatasetSpec | ModelSpec, key: str) -> Place:
    """Where `key` stands in the entry of a dataset or a model, e.g. `infer_cfg.retriever`."""
    return replace(entry.place, key=f"{entry.place.key or entry.abbr}.{key}")


def _placed(finding: Finding, place: Place) -> Finding:
    return finding if finding.place != Place() else replace(finding, place=place)
