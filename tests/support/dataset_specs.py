"""Dataset specs for tests, with only what a test is about spelt out."""

from typing import Any

from tasks.data.interface import LoadedDataset
from tasks.spec.specs import DatasetSpec, ReaderSpec

PROMPT = "tasks.prompts.templates.PromptTemplate"
RAW_PROMPT = "tasks.prompts.templates.RawPromptTemplate"
ZERO = {"type": "tasks.prompts.retrievers.ZeroRetriever"}


def fix_k(*ids: int, **options: Any) -> dict[str, Any]:
    return {"type": "tasks.prompts.retrievers.FixKRetriever", "fix_id_list": list(ids), **options}


def dataset_spec(
    type: str = "tasks.data.custom.CustomDataset",
    *,
    arguments: dict[str, Any] | None = None,
    infer_cfg: dict[str, Any] | None = None,
    input_columns: tuple[str, ...] = ("question",),
    output_column: str | None = "answer",
    n: int = 1,
    **reader: Any,
) -> DatasetSpec:
    """A spec named `sums`."""
    return DatasetSpec(
        abbr="sums",
        type=type,
        written_type=type.rpartition(".")[2],
        arguments=arguments or {},
        n=n,
        reader=ReaderSpec(input_columns=input_columns, output_column=output_column, **reader),
        infer_cfg=infer_cfg or {},
    )


def sums(count: int) -> list[dict[str, str]]:
    """Rows `1+1=?`, `2+2=?`, … with their answers."""
    return [{"question": f"{number}+{number}=?", "answer": str(2 * number)} for number in range(1, count + 1)]


def loaded(test: list[dict[str, Any]], train: list[dict[str, Any]] | None = None) -> LoadedDataset:
    return LoadedDataset(test if train is None else train, test, "fingerprint")
