"""The checked form of one entry of `models` and of `datasets`."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tasks.spec.findings import Place

_MILLION = 1_000_000


class Spec(BaseModel):
    """Base of all specs: frozen, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelSpec(Spec):
    """One model: which class talks to it, with which arguments, and what the framework itself uses."""

    abbr: str
    """Name in folders, files and tables; unique in a run."""
    type: str
    """Dotted path of the class to import."""
    written_type: str
    """The type as the configuration spells it, e.g. `opencompass.models.OpenAISDK`."""
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Keyword arguments of the class."""
    max_out_len: int | None = None
    """Output limit in tokens where the dataset sets none."""
    min_out_len: int | None = None
    batch_size: int | None = None
    """Requests in flight per running OpenICLInferTask."""
    num_gpus: int = 0
    num_procs: int = 1
    summarizer_abbr: str | None = None
    pred_postprocessor: dict[str, Any] | None = None
    meta_template: Any = None
    prices: dict[str, float] | None = None
    """Cost in dollars per million tokens: `input`, `output`."""
    serve: dict[str, Any] | None = None
    """How the run starts this model's server: `command`, `ready`, `num_gpus`."""
    is_api: bool = True
    """Whether the model is asked over a network rather than loaded by the process that runs the shard."""
    place: Place = Field(default=Place(), exclude=True)


class ReaderSpec(Spec):
    """Which columns and rows of a dataset are used."""

    input_columns: tuple[str, ...]
    output_column: str | None = None
    train_split: str = "train"
    test_split: str = "test"
    train_range: str | int | float | None = None
    test_range: str | int | float | None = None
    rows: tuple[int, ...] | None = None
    """Only these rows of the test split, of those that `test_range` selects."""


ComparisonMode = Literal["singlescore", "m2n", "allpair"]
ShownOrder = Literal["random", "double"]


class Opponent(Spec):
    """A model whose answers those of another one are compared with."""

    abbr: str
    model: ModelSpec | None = None
    """None: its answers are not the run's, but in the file or folder that `given` names."""
    given: str | None = None


class SubjectiveSpec(Spec):
    """How judges see the answers to a dataset that has no right ones."""

    mode: ComparisonMode = "singlescore"
    """Each answer by itself, next to those of `base_models`, or next to those of every other model."""
    infer_order: ShownOrder | None = None
    """Of two answers: shuffled by row, or both orders; None shows the base model's first."""
    base_models: tuple[str, ...] = ()
    compare_models: tuple[str, ...] | None = None
    """The models that are judged; None: all but the base models."""
    model_pairs: tuple[tuple[str, str], ...] = ()
    """Instead of base and compared models: which two are compared."""
    given: dict[str, str] = Field(default_factory=dict)
    """Files or folders with answers of models, by abbreviation."""
    judges: tuple[dict[str, Any], ...] = ()
    """Configurations of the judges; none: what the evaluator names."""
    meta_judge: dict[str, Any] | None = None
    """The judge who reads the verdicts of all others and decides."""
    summarizer: dict[str, Any] | None = None
    """Of this dataset, besides that of the run."""
    opponents: tuple[Opponent, ...] = ()
    """Known for a pair: the models that this one is compared with."""


class DatasetSpec(Spec):
    """One dataset: how it is loaded, turned into prompts and scored."""

    abbr: str
    type: str
    written_type: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    """Keyword arguments of the loader."""
    reader: ReaderSpec
    infer_cfg: dict[str, Any]
    """`prompt_template`, `ice_template`, `retriever`, `inferencer`; types are dotted paths."""
    eval_cfg: dict[str, Any] = Field(default_factory=dict)
    """`evaluator`, `pred_role`, `pred_postprocessor`, `dataset_postprocessor`; types are dotted paths."""
    n: int = 1
    """How often every row is asked."""
    k: tuple[int, ...] = (1,)
    subjective: SubjectiveSpec | None = None
    """None: its answers are right or wrong."""
    version: str = "-"
    """First six hex digits of the prompt hash (the `version` column of the summary)."""
    place: Place = Field(default=Place(), exclude=True)

    @property
    def inferencer(self) -> dict[str, Any]:
        """The inferencer's entry of `infer_cfg`."""
        return self.infer_cfg.get("inferencer", {})


def cost(prices: Mapping[str, float] | None, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Dollars; None where the model has no prices. A kind of token without a price costs nothing."""
    if not prices:
        return None
    return (prompt_tokens * prices.get("input", 0.0) + completion_tokens * prices.get("output", 0.0)) / _MILLION
