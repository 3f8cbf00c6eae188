"""What a results file says of each sample, with what identifies the sample in every run on the same data."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tasks.score.files.stored_details import Detail, read_details
from tasks.score.interface import VERDICTS


class SampleKey(NamedTuple):
    """What identifies a sample in every run on the same data."""

    row: str
    """`<dataset or its part>_<index in the split>`."""
    repeat: int


class SampleDetail(NamedTuple):
    """What scoring says of one sample."""

    key: SampleKey
    fields: Mapping[str, Any]
    """`pred`, `answer`, `correct`, `status`, `rule` and what the evaluator adds."""

    @property
    def verdict(self) -> bool | None:
        """Whether it is right; None for a sample that does not count, or where the evaluator does not say."""
        said = next((self.fields[name] for name in VERDICTS if self.fields.get(name) is not None), None)
        return bool(said) if isinstance(said, bool | int | float) else None


def sample_details(results: Path, dataset: str) -> Iterator[SampleDetail]:
    """The samples, row by row and then repeat by repeat; none where the file keeps no details.

    OSError or ValueError if it cannot be read.
    """
    for index, detail in enumerate(read_details(results)):
        row = str(detail.get("example_abbr") or f"{dataset}_{index}")
        for repeat, fields in enumerate(_repeats(detail)):
            yield SampleDetail(SampleKey(row, repeat), fields)


def _repeats(detail: Detail) -> list[dict[str, Any]]:
    """One value per repeat where the verdict is a list, or without one where all values are lists of one length."""
    values = {key: value for key, value in detail.items() if key != "example_abbr"}
    telling = [values[name] for name in VERDICTS if name in values] or list(values.values())
    lengths = {len(value) if isinstance(value, list) else 0 for value in telling}
    if len(lengths) != 1 or not (count := lengths.pop()):
        return [values]
    return [
        {
            key: value[repeat] if isinstance(value, list) and len(value) == count else value
            for key, value in values.items()
        }
        for repeat in range(count)
    ]
