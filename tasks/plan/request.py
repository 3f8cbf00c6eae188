"""What the user asked for: built by the command line, by the flow from its parameters, or by hand in a notebook."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from tasks.plan.option_texts import CUSTOM_DATA, HF_MODEL, RUN

Mode = Literal["all", "infer", "eval", "viz"]
Accelerator = Literal["vllm", "lmdeploy"]
Preference = Literal["compass", "opencompass"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HFModel(_Part):
    """A Hugging Face model that is described by flags instead of a file."""

    path: str = Field(description=HF_MODEL["path"])
    type: Literal["base", "chat"] = Field(default="chat", description=HF_MODEL["type"])
    model_kwargs: dict[str, Any] = Field(default={}, description=HF_MODEL["model_kwargs"])
    tokenizer_path: str | None = Field(default=None, description=HF_MODEL["tokenizer_path"])
    tokenizer_kwargs: dict[str, Any] = Field(default={}, description=HF_MODEL["tokenizer_kwargs"])
    peft_path: str | None = Field(default=None, description=HF_MODEL["peft_path"])
    peft_kwargs: dict[str, Any] = Field(default={}, description=HF_MODEL["peft_kwargs"])
    generation_kwargs: dict[str, Any] = Field(default={}, description=HF_MODEL["generation_kwargs"])
    max_seq_len: int | None = Field(default=None, ge=1, description=HF_MODEL["max_seq_len"])
    max_out_len: int = Field(default=256, ge=1, description=HF_MODEL["max_out_len"])
    min_out_len: int = Field(default=1, ge=0, description=HF_MODEL["min_out_len"])
    batch_size: int = Field(default=8, ge=1, description=HF_MODEL["batch_size"])
    num_gpus: int = Field(default=1, ge=0, description=HF_MODEL["num_gpus"])
    pad_token_id: int | None = Field(default=None, description=HF_MODEL["pad_token_id"])
    stop_words: tuple[str, ...] = Field(default=(), description=HF_MODEL["stop_words"])


class SavedRunner(_Part):
    """A runner that a saved block describes."""

    type: str
    """Dotted path of its class."""
    arguments: dict[str, Any] = Field(repr=False)


class CustomData(_Part):
    """A dataset of one file that is described by flags instead of a config."""

    path: str = Field(description=CUSTOM_DATA["path"])
    meta_path: str | None = Field(default=None, description=CUSTOM_DATA["meta_path"])
    data_type: Literal["mcq", "qa", "circular-mcq"] | None = Field(
        default=None,
        description=CUSTOM_DATA["data_type"],
    )
    infer_method: Literal["gen", "ppl"] | None = Field(default=None, description=CUSTOM_DATA["infer_method"])


class RunRequest(_Part):
    """One request for an evaluation."""

    config: str | None = Field(default=None, description=RUN["config"])
    models: tuple[str, ...] = Field(default=(), description=RUN["models"])
    datasets: tuple[str, ...] = Field(default=(), description=RUN["datasets"])
    summarizer: str | None = Field(default=None, description=RUN["summarizer"])
    config_dir: str | None = Field(
        default=None,
        description=RUN["config_dir"],
    )
    hf: HFModel | None = Field(default=None, description=RUN["hf"])
    custom: CustomData | None = Field(default=None, description=RUN["custom"])
    dataset_num_runs: int = Field(default=1, ge=1, description=RUN["dataset_num_runs"])
    accelerator: Accelerator | None = Field(default=None, description=RUN["accelerator"])
    overrides: tuple[str, ...] = Field(default=(), description=RUN["overrides"])
    prefer: Preference = Field(
        default="compass",
        description=RUN["prefer"],
    )
    mode: Mode = Field(default="all", description=RUN["mode"])
    reuse: str | None = Field(default=None, description=RUN["reuse"])
    work_dir: str | None = Field(default=None, description=RUN["work_dir"])
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=RUN["limit"])
    length_range: str | None = Field(default=None, description=RUN["length_range"])
    cache: str | None = Field(default=None, description=RUN["cache"])
    offline: bool = Field(default=False, description=RUN["offline"])
    runner: str | None = Field(default=None, description=RUN["runner"])
    partition: str | None = Field(default=None, description=RUN["partition"])
    quotatype: str | None = Field(default=None, description=RUN["quotatype"])
    qos: str | None = Field(default=None, description=RUN["qos"])
    aliyun_cfg: str = Field(default="~/.aliyun.cfg", description=RUN["aliyun_cfg"])
    retry: int | None = Field(default=None, ge=0, description=RUN["retry"])
    max_num_workers: int | None = Field(default=None, ge=1, description=RUN["max_num_workers"])
    max_workers_per_gpu: int | None = Field(default=None, ge=1, description=RUN["max_workers_per_gpu"])
    dump_eval_details: bool = Field(default=True, description=RUN["dump_eval_details"])
    dump_res_length: bool = Field(default=False, description=RUN["dump_res_length"])
    dump_extract_rate: bool = Field(default=False, description=RUN["dump_extract_rate"])
    analysis_repeat: bool = Field(default=False, description=RUN["analysis_repeat"])
    report: bool = Field(default=False, description=RUN["report"])
    station_path: str | None = Field(
        default=None,
        description=RUN["station_path"],
    )
    station_overwrite: bool = Field(default=False, description=RUN["station_overwrite"])
    station_samples: bool = Field(default=False, description=RUN["station_samples"])
    read_from_station: bool = Field(default=False, description=RUN["read_from_station"])
    fail_on_error: float = Field(default=0.05, ge=0, description=RUN["fail_on_error"])
    max_samples: Annotated[int, Field(ge=1)] | None = Field(default=None, description=RUN["max_samples"])
    max_tokens: Annotated[int, Field(ge=1)] | None = Field(default=None, description=RUN["max_tokens"])
    max_cost: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description=RUN["max_cost"]
    )
    max_minutes: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = Field(
        default=None, description=RUN["max_minutes"]
    )
    preflight: bool = Field(
        default=False,
        description=RUN["preflight"],
    )
    rescore_changed: bool = Field(default=False, description=RUN["rescore_changed"])
    unsafe_code_execution: bool = Field(default=False, description=RUN["unsafe_code_execution"])
    debug: bool = Field(default=False, description=RUN["debug"])
    lark: bool = Field(default=False, description=RUN["lark"])
    notify: tuple[str, ...] = Field(default=(), description=RUN["notify"])

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

    def is_changed(self, name: str) -> bool:
        """Whether the option has another value than its default."""
        return getattr(self, name) != type(self).model_fields[name].default

    @property
    def wants_alerts(self) -> bool:
        """Whether anybody is to be told how the run gets on."""
        return self.lark or bool(self.notify)
