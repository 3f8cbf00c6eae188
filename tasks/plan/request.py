"""What the user asked for: built by the command line, by the flow from its parameters, or by hand in a notebook."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

Mode = Literal["all", "infer", "eval", "viz"]
Accelerator = Literal["vllm", "lmdeploy"]
Preference = Literal["compass", "opencompass"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HFModel(_Part):
    """A Hugging Face model that is described by flags instead of a file."""

    path: str = Field(description="Id on the Hugging Face hub, or folder of the weights")
    type: Literal["base", "chat"] = Field(
        default="chat", description="Whether it is asked as a base or as a chat model"
    )
    model_kwargs: dict[str, Any] = Field(default={}, description="Arguments for loading the model")
    tokenizer_path: str | None = Field(default=None, description="Where the tokenizer lies, if not with the model")
    tokenizer_kwargs: dict[str, Any] = Field(default={}, description="Arguments for loading the tokenizer")
    peft_path: str | None = Field(default=None, description="Adapter to load on top")
    peft_kwargs: dict[str, Any] = Field(default={}, description="Arguments for loading the adapter")
    generation_kwargs: dict[str, Any] = Field(default={}, description="Arguments for generating")
    max_seq_len: int | None = Field(default=None, ge=1, description="Context in tokens")
    max_out_len: int = Field(default=256, ge=1, description="Output limit in tokens")
    min_out_len: int = Field(default=1, ge=0, description="Least number of tokens to generate")
    batch_size: int = Field(default=8, ge=1, description="Prompts per batch")
    num_gpus: int = Field(default=1, ge=0, description="GPUs per replica")
    pad_token_id: int | None = Field(default=None, description="Token that fills up short prompts")
    stop_words: tuple[str, ...] = Field(default=(), description="Texts that end an answer")


class SavedRunner(_Part):
    """A runner that a saved block describes."""

    type: str
    """Dotted path of its class."""
    arguments: dict[str, Any] = Field(repr=False)


class CustomData(_Part):
    """A dataset of one file that is described by flags instead of a config."""

    path: str = Field(description="A .jsonl, .csv or .parquet file")
    meta_path: str | None = Field(
        default=None, description="Its description; default: <path>.meta.json, if there is one"
    )
    data_type: Literal["mcq", "qa", "circular-mcq"] | None = Field(
        default=None, description="Multiple choice (in all orders of the options), or question and answer"
    )
    infer_method: Literal["gen", "ppl"] | None = Field(
        default=None, description="Generate answers, or compare likelihoods"
    )


class RunRequest(_Part):
    """One request for an evaluation."""

    config: str | None = Field(default=None, description="Path of the configuration file")
    models: tuple[str, ...] = Field(default=(), description="Names of model configs, instead of a file")
    datasets: tuple[str, ...] = Field(default=(), description="Names of dataset configs, instead of a file")
    summarizer: str | None = Field(
        default=None, description="Name of a summarizer config, beside names of models and datasets"
    )
    config_dir: str | None = Field(default=None, description="Folder searched before the packaged configs")
    hf: HFModel | None = Field(default=None, description="A Hugging Face model, instead of names of models")
    custom: CustomData | None = Field(
        default=None, description="A dataset of one file, beside or instead of names of datasets"
    )
    dataset_num_runs: int = Field(default=1, ge=1, description="How often every row is asked, where names are given")
    accelerator: Accelerator | None = Field(
        default=None, description="Engine that Hugging Face models are converted to"
    )
    overrides: tuple[str, ...] = Field(
        default=(), description="Changes to the configuration, e.g. models.0.temperature=0.2"
    )
    prefer: Preference = Field(default="compass", description="Whose classes win where both have one")
    mode: Mode = Field(default="all", description="Stages to run")
    reuse: str | None = Field(default=None, description="Run to go on with: its timestamp, or `latest`")
    work_dir: str | None = Field(default=None, description="Parent folder of the runs")
    limit: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Only the first N samples of each dataset"
    )
    length_range: str | None = Field(default=None, description="Only samples whose prompts have A:B tokens")
    cache: str | None = Field(default=None, description="Folder where answers are kept for all runs")
    offline: bool = Field(default=False, description="No network but the models' own addresses")
    runner: str | None = Field(default=None, description="Runner of both stages, replacing the configuration's")
    partition: str | None = Field(default=None, description="Slurm partition")
    quotatype: str | None = Field(default=None, description="Slurm quota type")
    qos: str | None = Field(default=None, description="Slurm quality of service")
    aliyun_cfg: str = Field(default="~/.aliyun.cfg", description="Settings for Aliyun DLC")
    retry: int | None = Field(
        default=None, ge=0, description="Resubmissions of a failed job, where the config says nothing"
    )
    max_num_workers: int | None = Field(
        default=None, ge=1, description="Tasks that run at once, where the config says nothing"
    )
    max_workers_per_gpu: int | None = Field(
        default=None, ge=1, description="Tasks that share a GPU, where the config says nothing"
    )
    dump_eval_details: bool = Field(default=True, description="Keep one record per sample in results files")
    dump_res_length: bool = Field(default=False, description="Token counts of prompts and answers in predictions")
    dump_extract_rate: bool = Field(default=False, description="In how many answers something was found to score")
    analysis_repeat: bool = Field(default=False, description="Which answers repeat themselves without end")
    report: bool = Field(default=False, description="Write summary/report.html as well")
    station_path: str | None = Field(
        default=None, description="Where results are kept for all runs: a folder, or the URL of a database"
    )
    station_overwrite: bool = Field(default=False, description="Replace results that the station has already")
    station_samples: bool = Field(default=False, description="Keep the samples in the station's database as well")
    read_from_station: bool = Field(
        default=False, description="Take results of the same configuration from the station instead of asking"
    )
    fail_on_error: float = Field(
        default=0.05, ge=0, description="Errors a pair may have: a fraction below 1, or a count"
    )
    max_samples: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Samples that this run may ask, all pairs together"
    )
    max_tokens: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="Tokens of prompts and answers that this run may spend"
    )
    max_cost: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Dollars that this run may spend on models with prices"
    )
    max_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description="Minutes that this run may ask for"
    )
    preflight: bool = Field(default=False, description="Only ask one sample of each pair, and show what becomes of it")
    rescore_changed: bool = Field(
        default=False, description="Score predictions and rows that were changed after the run, and mark the scores"
    )
    unsafe_code_execution: bool = Field(
        default=False, description="Run programs that models write with your own rights where no sandbox works"
    )
    debug: bool = Field(default=False, description="One task at a time, logs in the terminal")
    lark: bool = Field(default=False, description="Post how the run gets on to the configuration's addresses")
    notify: tuple[str, ...] = Field(default=(), description="Saved notification blocks to post to")

    _saved_runner: SavedRunner | None = PrivateAttr(default=None)

    @property
    def saved_runner(self) -> SavedRunner | None:
        """What the saved block holds that `runner` names; nobody asks for it and it is not written down."""
        return self._saved_runner

    def on(self, runner: SavedRunner) -> "RunRequest":
        """The request with that runner."""
        request = self.model_copy()
        request._saved_runner = runner  # noqa: SLF001  # a copy of itself
        return request

    @property
    def wants_alerts(self) -> bool:
        """Whether anybody is to be told how the run gets on."""
        return self.lark or bool(self.notify)
