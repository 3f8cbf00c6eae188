"""What each option of a run means: for --help, the form of the Prefect flow, `evaluate()` and the reference.

A module of its own, since --help must not pay for pydantic.
"""

from collections.abc import Mapping

RUN: Mapping[str, str] = {
    "config": "Configuration file with `models` and `datasets`",
    "models": "Names of model configurations, instead of a file",
    "datasets": "Names of dataset configurations, instead of a file",
    "summarizer": "Name of a summarizer configuration, beside names of models and datasets",
    "config_dir": "Folder searched for names before the packaged configurations (`configs` in the current folder)",
    "hf": "A Hugging Face model, instead of names of models",
    "custom": "A dataset of one file, beside or instead of names of datasets",
    "dataset_num_runs": "Ask every row N times and average, where datasets are given by name",
    "accelerator": "Engine that runs Hugging Face models",
    "overrides": "Changed values of the configuration, e.g. models.0.temperature=0.2",
    "prefer": "Whose loaders and evaluators are used where Compass and OpenCompass both have one",
    "mode": "Stages to run",
    "reuse": "Run to resume: its timestamp, or `latest`, the newest",
    "work_dir": "Parent folder of the runs",
    "limit": "Only the first N samples of each dataset",
    "length_range": "Only samples whose prompts have at least A and at most B tokens, as A:B",
    "cache": "Folder that keeps answers, shared by all runs that name it",
    "offline": "No network but the models' own addresses",
    "runner": "Runner of both stages: local, slurm, dlc, volc, rjob, dask, a saved block or a class",
    "partition": "Slurm partition",
    "quotatype": "Slurm quota type",
    "qos": "Slurm quality of service",
    "aliyun_cfg": "Settings file of Aliyun DLC",
    "retry": "Resubmissions of a failed job, unless the configuration sets them",
    "max_num_workers": (
        "Tasks that run at once, unless the configuration sets it; by default 1, or as many as the GPUs allow"
    ),
    "max_workers_per_gpu": "Tasks that share a GPU, unless the configuration sets it",
    "dump_eval_details": "Keep one record per sample in results files",
    "dump_res_length": "Keep token counts of prompts and answers in predictions files",
    "dump_extract_rate": "Report the share of answers in which something was found to score",
    "analysis_repeat": "Report answers that repeat themselves without end, after the summary",
    "report": "Also write summary/report.html, a page with charts and samples",
    "station_path": "Save results there: a folder, sqlite:///FILE, postgresql://USER@HOST/DATABASE, or block://NAME",
    "station_overwrite": "Replace results that the station already has",
    "station_samples": "Also keep the samples in the station's database",
    "read_from_station": "Take results of the same configuration from the station instead of asking",
    "fail_on_error": "Errors a model-dataset pair may have: a fraction below 1, or a count",
    "max_samples": "Samples that this run may ask, over all pairs",
    "max_tokens": "Tokens of prompts and answers that this run may use",
    "max_cost": "Dollars that this run may spend on models with `prices`",
    "max_minutes": "Minutes that this run may take, from its first request on",
    "preflight": "Ask one sample of each pair and show its prompt, answer, extracted answer and verdict",
    "rescore_changed": "Score predictions and rows that were changed after the run, and mark the scores",
    "unsafe_code_execution": "Run programs written by models with your own rights where no sandbox works",
    "debug": "One task at a time, logs in the terminal",
    "lark": "Send progress to lark_bot_url and the other addresses of the configuration",
    "notify": "Send progress to this saved Prefect notification block, TYPE/NAME or NAME",
}
"""Fields of `RunRequest`."""

HF_MODEL: Mapping[str, str] = {
    "path": "Id on the Hugging Face hub, or folder of the weights",
    "type": "Prompt the model as a base or as a chat model",
    "model_kwargs": "Arguments for loading the model",
    "tokenizer_path": "Path or id of the tokenizer, unless it is beside the model",
    "tokenizer_kwargs": "Arguments for loading the tokenizer",
    "peft_path": "Adapter to load on top",
    "peft_kwargs": "Arguments for loading the adapter",
    "generation_kwargs": "Arguments for generating",
    "max_seq_len": "Context in tokens",
    "max_out_len": "Output limit in tokens",
    "min_out_len": "Least output in tokens",
    "batch_size": "Prompts per batch",
    "num_gpus": "GPUs per replica",
    "pad_token_id": "Token that pads short prompts",
    "stop_words": "Texts that end an answer",
}
"""Fields of `HFModel`."""

CUSTOM_DATA: Mapping[str, str] = {
    "path": "A .jsonl, .csv or .parquet file",
    "meta_path": "Description of the file, as JSON; <path>.meta.json is used if it exists",
    "data_type": "Multiple choice (`circular-mcq`: in all orders of the options), or question and answer",
    "infer_method": "Generate answers, or compare likelihoods of the options",
}
"""Fields of `CustomData`."""
