"""The options of the command line, in the groups that --help shows."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any, NoReturn

from flows.terminal.argument_values import amount, budget, count, is_true, positive
from tasks.plan.option_texts import CUSTOM_DATA, HF_MODEL, RUN

_HF = "hf_"
_CUSTOM = "custom_"
_HF_DEFAULTS = {"type": "chat", "num_gpus": "1", "max_out_len": "256", "min_out_len": "1", "batch_size": "8"}
_CAPITALISED = ("GPUs", "Slurm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """All options of a run."""
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    _add_common(parser.add_argument_group("most used"))
    _add_source(parser.add_argument_group("models and datasets by name"))
    _add_changes(parser.add_argument_group("changes to the configuration"))
    _add_checks(parser.add_argument_group("checks before the run"))
    _add_limits(parser.add_argument_group("spending limits: a run that reaches one ends cleanly, -r continues it"))
    _add_execution(parser.add_argument_group("execution"))
    _add_clusters(parser.add_argument_group("clusters"))
    _add_display(parser.add_argument_group("output"))
    _add_station(parser.add_argument_group("results station: results of all runs in one place"))
    _add_alerts(parser.add_argument_group("notifications"))
    _add_hf(parser.add_argument_group("a Hugging Face model, instead of --models"))
    _add_custom(parser.add_argument_group("a file of questions, instead of --datasets or beside them"))


def _help(texts: Mapping[str, str], name: str, default: str = "") -> str:
    """The meaning of an option; `default` where it says more than nothing."""
    text = texts[name]
    text = text if text.startswith(_CAPITALISED) else text[:1].lower() + text[1:]
    return f"{text} (default: {default})" if default else text


def _add_common(group: argparse._ArgumentGroup) -> None:
    group.add_argument("config", nargs="?", help=_help(RUN, "config"))
    group.add_argument("--models", nargs="+", default=[], metavar="NAME", help=_help(RUN, "models"))
    group.add_argument("--datasets", nargs="+", default=[], metavar="NAME", help=_help(RUN, "datasets"))
    group.add_argument("-r", "--reuse", nargs="?", const="latest", metavar="TIME", help=_help(RUN, "reuse"))
    group.add_argument("--dry-run", action="store_true", help="check and plan only: ask nothing, write nothing")


def _add_source(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--summarizer", metavar="NAME", help=_help(RUN, "summarizer"))
    group.add_argument("--config-dir", metavar="DIR", help=_help(RUN, "config_dir"))
    group.add_argument("--dataset-num-runs", type=positive, metavar="N", help=_help(RUN, "dataset_num_runs"))


def _add_changes(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        help=_help(RUN, "overrides"),
    )
    group.add_argument("--limit", type=positive, metavar="N", help=_help(RUN, "limit"))
    group.add_argument("--length-range", metavar="A:B", help=_help(RUN, "length_range"))
    group.add_argument("-a", "--accelerator", choices=("vllm", "lmdeploy"), help=_help(RUN, "accelerator"))
    group.add_argument("--prefer", choices=("compass", "opencompass"), help=_help(RUN, "prefer", "compass"))


def _add_checks(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--preflight",
        action="store_true",
        help=_help(RUN, "preflight"),
    )
    group.add_argument("--config-verbose", action="store_true", help="show the effective configuration")
    group.add_argument(
        "--dump-only-message-path", metavar="DIR", help="write all prompts to DIR/<model>/<dataset>.jsonl, ask nothing"
    )


def _add_limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--max-samples", type=positive, metavar="N", help=_help(RUN, "max_samples"))
    group.add_argument("--max-tokens", type=positive, metavar="N", help=_help(RUN, "max_tokens"))
    group.add_argument("--max-cost", type=amount, metavar="DOLLARS", help=_help(RUN, "max_cost"))
    group.add_argument("--max-minutes", type=amount, metavar="N", help=_help(RUN, "max_minutes"))


def _add_execution(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-w", "--work-dir", metavar="DIR", help=_help(RUN, "work_dir"))
    group.add_argument("-m", "--mode", choices=("all", "infer", "eval", "viz"), help=_help(RUN, "mode", "all"))
    group.add_argument(
        "--inline", action="store_true", help="without Prefect: same stages, files and exit status, no server"
    )
    group.add_argument("--debug", action="store_true", help=_help(RUN, "debug"))
    group.add_argument("--offline", action="store_true", help=_help(RUN, "offline"))
    group.add_argument(
        "--rescore-changed",
        action="store_true",
        help=_help(RUN, "rescore_changed"),
    )
    group.add_argument(
        "--unsafe-code-execution",
        action="store_true",
        help=_help(RUN, "unsafe_code_execution"),
    )
    group.add_argument("--cache", metavar="DIR", help=_help(RUN, "cache"))
    group.add_argument(
        "--fail-on-error",
        type=budget,
        metavar="X",
        help=_help(RUN, "fail_on_error", "0.05"),
    )
    group.add_argument(
        "--max-num-workers",
        type=positive,
        metavar="N",
        help=_help(RUN, "max_num_workers"),
    )
    group.add_argument("--max-workers-per-gpu", type=positive, metavar="N", help=_help(RUN, "max_workers_per_gpu"))
    group.add_argument("--retry", type=count, metavar="N", help=_help(RUN, "retry"))


def _add_clusters(group: argparse._ArgumentGroup) -> None:
    runner = group.add_mutually_exclusive_group()
    runner.add_argument("--slurm", dest="runner", action="store_const", const="slurm", help="on Slurm; needs -p")
    runner.add_argument(
        "--dlc", dest="runner", action="store_const", const="dlc", help="on Aliyun DLC; needs --aliyun-cfg"
    )
    runner.add_argument(
        "--runner",
        metavar="NAME",
        help=_help(RUN, "runner"),
    )
    group.add_argument("-p", "--partition", metavar="NAME", help=_help(RUN, "partition"))
    group.add_argument("-q", "--quotatype", metavar="NAME", help=_help(RUN, "quotatype"))
    group.add_argument("--qos", metavar="NAME", help=_help(RUN, "qos"))
    group.add_argument("--aliyun-cfg", metavar="FILE", help=_help(RUN, "aliyun_cfg", "~/.aliyun.cfg"))


def _add_display(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--json", action="store_true", help="the result as JSON on stdout, everything else on stderr")
    group.add_argument("--no-progress", action="store_true", help="no progress display")
    group.add_argument(
        "--dump-eval-details",
        nargs="?",
        type=is_true,
        const=True,
        metavar="BOOL",
        help=_help(RUN, "dump_eval_details", "true"),
    )
    group.add_argument("--report", action="store_true", help=_help(RUN, "report"))
    group.add_argument("--dump-res-length", action="store_true", help=_help(RUN, "dump_res_length"))
    group.add_argument("--dump-extract-rate", action="store_true", help=_help(RUN, "dump_extract_rate"))
    group.add_argument("--analysis-repeat", action="store_true", help=_help(RUN, "analysis_repeat"))


def _add_station(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-sp",
        "--station-path",
        metavar="ADDRESS",
        help=_help(RUN, "station_path"),
    )
    group.add_argument("--read-from-station", action="store_true", help=_help(RUN, "read_from_station"))
    group.add_argument("--station-overwrite", action="store_true", help=_help(RUN, "station_overwrite"))
    group.add_argument("--station-samples", action="store_true", help=_help(RUN, "station_samples"))


def _add_alerts(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-l", "--lark", action="store_true", help=_help(RUN, "lark"))
    group.add_argument(
        "--notify",
        action="append",
        default=[],
        metavar="NAME",
        help=_help(RUN, "notify"),
    )


def _add_hf(group: argparse._ArgumentGroup) -> None:
    def add(flag: str, name: str, **options: Any) -> None:
        group.add_argument(flag, dest=_HF + name, help=_help(HF_MODEL, name, _HF_DEFAULTS.get(name, "")), **options)

    add("--hf-path", "path", metavar="PATH")
    add("--hf-type", "type", choices=("base", "chat"))
    add("--hf-num-gpus", "num_gpus", type=count, metavar="N")
    add("--max-seq-len", "max_seq_len", type=positive, metavar="N")
    add("--max-out-len", "max_out_len", type=positive, metavar="N")
    add("--min-out-len", "min_out_len", type=count, metavar="N")
    add("--batch-size", "batch_size", type=positive, metavar="N")
    for flag in _KEYWORDS:
        name = flag.removeprefix("--").replace("-", "_")
        add(flag, name, nargs="+", action="extend", metavar="KEY=VALUE")
    add("--tokenizer-path", "tokenizer_path", metavar="PATH")
    add("--peft-path", "peft_path", metavar="PATH")
    add("--pad-token-id", "pad_token_id", type=int, metavar="ID")
    add("--stop-words", "stop_words", nargs="+", metavar="TEXT")
    group.add_argument("--num-gpus", action=_Replaced, help=argparse.SUPPRESS)


_KEYWORDS = ("--model-kwargs", "--tokenizer-kwargs", "--peft-kwargs", "--generation-kwargs")


def _add_custom(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--custom-dataset-path", dest=_CUSTOM + "path", metavar="FILE", help=_help(CUSTOM_DATA, "path"))
    group.add_argument(
        "--custom-dataset-meta-path", dest=_CUSTOM + "meta_path", metavar="FILE", help=_help(CUSTOM_DATA, "meta_path")
    )
    group.add_argument(
        "--custom-dataset-data-type",
        dest=_CUSTOM + "data_type",
        choices=("mcq", "qa", "circular-mcq"),
        help=_help(CUSTOM_DATA, "data_type"),
    )
    group.add_argument(
        "--custom-dataset-infer-method",
        dest=_CUSTOM + "infer_method",
        choices=("gen", "ppl"),
        help=_help(CUSTOM_DATA, "infer_method"),
    )


class _Version(argparse.Action):
    """Shows which Compass this is, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            told = version("compass-llm-eval")
        except PackageNotFoundError:
            told = "of a checkout that is not installed"
        sys.stdout.write(f"{parser.prog} {told}\n")
        parser.exit(0)


class _Replaced(argparse.Action):
    """An option that has another name now."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        parser.error("--num-gpus was replaced: use --hf-num-gpus with --hf-path, run_cfg.num_gpus in a configuration")
