"""GSM8K: 7,473 + 1,319 grade-school word problems (Cobbe et al. 2021, arXiv:2110.14168)."""

from pathlib import Path
from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.hub import hub_file
from tasks.data.interface import BaseDataset
from tasks.data.paths import absent, find_data_path, local_path
from tasks.spec.findings import Finding, UserError

_SPLITS = ("train", "test")
_REPOSITORY = "openai/gsm8k"
_REVISION = "740312add88f781978c0658806c59bc2815b9866"


class GSM8KDataset(BaseDataset):
    """Columns `question` and `answer`; an answer ends with `#### <number>`."""

    @staticmethod
    def load(path: str = "opencompass/gsm8k") -> dict[str, list[dict[str, Any]]]:
        """Both splits from `{train,test}.jsonl` in the folder `path`.

        If there is no such folder and `path` is the dataset's usual one, from the Hugging Face hub.
        """
        folder = find_data_path(path)
        if folder is not None:
            return {split: _read_split(path, folder, split) for split in _SPLITS}
        if Path(local_path(path)) != Path("data/gsm8k") and path != _REPOSITORY:
            raise UserError(absent(path))
        try:
            return {split: _read_hub_split(split) for split in _SPLITS}
        except UserError as error:
            raise UserError(_nowhere(path, error)) from error


def _read_split(path: str, folder: Path, split: str) -> list[dict[str, Any]]:
    file = folder / f"{split}.jsonl"
    if not file.is_file():
        raise UserError(absent(path, file.name))
    return read_jsonl(file)


def _read_hub_split(split: str) -> list[dict[str, Any]]:
    file = hub_file(_REPOSITORY, f"main/{split}-00000-of-00001.parquet", _REVISION)
    from pyarrow import parquet  # pyright: ignore[reportMissingTypeStubs]

    return parquet.read_table(file).to_pylist()


def _nowhere(path: str, error: UserError) -> Finding:
    missing, hub = absent(path), error.findings[0]
    return Finding(f"{missing.message}; {hub.message}", remedy=f"{missing.remedy}; {hub.remedy}", kind=missing.kind)
