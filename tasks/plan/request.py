"""What the user asked for: built by the command line, by the flow from its parameters, or by hand in a notebook."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Mode = Literal["all", "infer", "eval", "viz"]


class RunRequest(BaseModel):
    """One request for an evaluation."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    config: str | None = Field(None, description="Path of the configuration file")
    models: tuple[str, ...] = Field((), description="Names of model configs, instead of a file")
    datasets: tuple[str, ...] = Field((), description="Names of dataset configs, instead of a file")
    summarizer: str | None = Field(None, description="Name of a summarizer config, beside names of models and datasets")
    config_dir: str | None = Field(None, description="Folder searched before the packaged configs")
    mode: Mode = Field("all", description="Stages to run")
    reuse: str | None = Field(None, description="Run to go on with: its timestamp, or `latest`")
    work_dir: str | None = Field(None, description="Parent folder of the runs")
    limit: int | None = Field(None, ge=1, description="Only the first N samples of each dataset")
    max_num_workers: int | None = Field(None, ge=1, description="Tasks that run at once, where the config says nothing")
    dump_eval_details: bool = Field(True, description="Keep one record per sample in results files")
    fail_on_error: float = Field(0.05, ge=0, description="Errors a pair may have: a fraction below 1, or a count")
    debug: bool = Field(False, description="One task at a time, logs in the terminal")
