"""The options of the command line, in the groups that --help shows."""

import argparse
import sys
from typing import Any, NoReturn

from flows.terminal.argument_values import amount, budget, count, is_true, positive

_HF = "hf_"
_CUSTOM = "custom_"


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


def _add_common(group: argparse._ArgumentGroup) -> None:
    group.add_argument("config", nargs="?", help="configuration file with `models` and `datasets`")
    group.add_argument("--models", nargs="+", default=[], metavar="NAME", help="model configs, instead of a file")
    group.add_argument("--datasets", nargs="+", default=[], metavar="NAME", help="dataset configs, instead of a file")
    group.add_argument(
        "-r", "--reuse", nargs="?", const="latest", metavar="TIME", help="go on with this run; without TIME the newest"
    )
    group.add_argument("--dry-run", action="store_true", help="check and plan only: ask nothing, write nothing")


def _add_source(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--summarizer", metavar="NAME", help="summarizer config, beside --models and --datasets")
    group.add_argument("--config-dir", metavar="DIR", help="searched for names before the packaged configs (./configs)")
    group.add_argument("--dataset-num-runs", type=positive, metavar="N", help="ask every row N times and average")


def _add_changes(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--set",
        dest="overrides",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        help="change one value, e.g. models.0.temperature=0.2; may be repeated",
    )
    group.add_argument("--limit", type=positive, metavar="N", help="only the first N samples of each dataset")
    group.add_argument(
        "--length-range", metavar="A:B", help="only samples whose prompts have at least A and at most B tokens"
    )
    group.add_argument(
        "-a", "--accelerator", choices=("vllm", "lmdeploy"), help="run Hugging Face models on this engine"
    )
    group.add_argument(
        "--prefer", choices=("compass", "opencompass"), help="whose loaders and evaluators win where both have one"
    )


def _add_checks(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--preflight",
        action="store_true",
        help="as --dry-run, and ask one sample of each pair: shows prompt, answer, what was read from it, verdict",
    )
    group.add_argument("--config-verbose", action="store_true", help="show the effective configuration")
    group.add_argument(
        "--dump-only-message-path", metavar="DIR", help="write all prompts to DIR/<model>/<dataset>.jsonl, ask nothing"
    )


def _add_limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--max-samples", type=positive, metavar="N", help="samples asked in this run, all pairs together"
    )
    group.add_argument("--max-tokens", type=positive, metavar="N", help="tokens of prompts and answers together")
    group.add_argument("--max-cost", type=amount, metavar="DOLLARS", help="cost of the models that have `prices`")
    group.add_argument("--max-minutes", type=amount, metavar="N", help="minutes from the first request on")


def _add_execution(group: argparse._ArgumentGroup) -> None:
    group.add_argument("-w", "--work-dir", metavar="DIR", help="parent folder of the runs (default: the config's)")
    group.add_argument("-m", "--mode", choices=("all", "infer", "eval", "viz"), help="stages to run (default: all)")
    group.add_argument(
        "--inline", action="store_true", help="without Prefect: same stages, files and exit status, no server"
    )
    group.add_argument("--debug", action="store_true", help="one task at a time, logs in the terminal")
    group.add_argument("--offline", action="store_true", help="no network but the models' own addresses")
    group.add_argument(
        "--rescore-changed",
        action="store_true",
        help="score predictions and rows that were changed after the run, and mark the scores",
    )
    group.add_argument(
        "--unsafe-code-execution",
        action="store_true",
        help="where no sandbox works, run the programs that models write with your own rights",
    )
    group.add_argument("--cache", metavar="DIR", help="keep answers there and use those kept by other runs")
    group.add_argument(
        "--fail-on-error",
        type=budget,
        metavar="X",
        help="errors a model-dataset pair may have: a fraction below 1, or a count (default: 0.05)",
    )
    group.add_argument(
        "--max-num-workers",
        type=positive,
        metavar="N",
        help="tasks at once, where the config says nothing (default: 1, or as many as the GPUs allow)",
    )
    group.add_argument(
        "--max-workers-per-gpu", type=positive, metavar="N", help="tasks on one GPU, where the config says nothing"
    )
    group.add_argument("--retry", type=count, metavar="N", help="resubmissions of a failed job, where it says nothing")


def _add_clusters(group: argparse._ArgumentGroup) -> None:
    runner = group.add_mutually_exclusive_group()
    runner.add_argument("--slurm", dest="runner", action="store_const", const="slurm", help="on Slurm; needs -p")
    runner.add_argument(
        "--dlc", dest="runner", action="store_const", const="dlc", help="on Aliyun DLC; needs --aliyun-cfg"
    )
    runner.add_argument(
        "--runner",
        metavar="NAME",
        help="on local, slurm, dlc, volc, rjob, dask, a saved block or a runner class; both stages",
    )
    group.add_argument("-p", "--partition", metavar="NAME", help="Slurm partition")
    group.add_argument("-q", "--quotatype", metavar="NAME", help="Slurm quota type")
    group.add_argument("--qos", metavar="NAME", help="Slurm quality of service")
    group.add_argument("--aliyun-cfg", metavar="FILE", help="settings of Aliyun DLC (default: ~/.aliyun.cfg)")


def _add_display(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--json", action="store_true", help="the result as JSON on stdout, everything else on stderr")
    group.add_argument("--no-progress", action="store_true", help="no progress display")
    group.add_argument(
        "--dump-eval-details",
        nargs="?",
        type=is_true,
        const=True,
        metavar="BOOL",
        help="keep one record per sample in results files (default: true)",
    )
    group.add_argument(
        "--report", action="store_true", help="write summary/report.html as well: charts, samples, how it came about"
    )
    group.add_argument(
        "--dump-res-length", action="store_true", help="keep token counts of prompts and answers in predictions files"
    )
    group.add_argument(
        "--dump-extract-rate", action="store_true", help="score also in how many answers something was found to score"
    )
    group.add_argument(
        "--analysis-repeat", action="store_true", help="after the summary: which answers repeat themselves without end"
    )


def _add_station(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-sp",
        "--station-path",
        metavar="ADDRESS",
        help="save results there: a folder, sqlite:///FILE, postgresql://USER@HOST/DATABASE, or block://NAME",
    )
    group.add_argument(
        "--read-from-station", action="store_true", help="take results of the same configuration instead of asking"
    )
    group.add_argument("--station-overwrite", action="store_true", help="replace results that it has already")
    group.add_argument("--station-samples", action="store_true", help="keep the samples in its database as well")


def _add_alerts(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-l", "--lark", action="store_true", help="post how the run gets on to the config's lark_bot_url, and the like"
    )
    group.add_argument(
        "--notify",
        action="append",
        default=[],
        metavar="NAME",
        help="post it to this saved notification block of Prefect, TYPE/NAME or NAME; may be repeated",
    )


def _add_hf(group: argparse._ArgumentGroup) -> None:
    def add(flag: str, name: str, **options: Any) -> None:
        group.add_argument(flag, dest=_HF + name, **options)

    add("--hf-path", "path", metavar="PATH", help="id on the hub, or folder of the weights")
    add("--hf-type", "type", choices=("base", "chat"), help="how it is asked (default: chat)")
    add("--hf-num-gpus", "num_gpus", type=count, metavar="N", help="GPUs per replica (default: 1)")
    add("--max-seq-len", "max_seq_len", type=positive, metavar="N", help="context in tokens")
    add("--max-out-len", "max_out_len", type=positive, metavar="N", help="output limit in tokens (default: 256)")
    add("--min-out-len", "min_out_len", type=count, metavar="N", help="least output in tokens (default: 1)")
    add("--batch-size", "batch_size", type=positive, metavar="N", help="prompts per batch (default: 8)")
    for flag, what in _KEYWORDS.items():
        name = flag.removeprefix("--").replace("-", "_")
        add(flag, name, nargs="+", action="extend", metavar="KEY=VALUE", help=f"arguments for {what}")
    add("--tokenizer-path", "tokenizer_path", metavar="PATH", help="where the tokenizer lies (default: --hf-path)")
    add("--peft-path", "peft_path", metavar="PATH", help="adapter to load on top")
    add("--pad-token-id", "pad_token_id", type=int, metavar="ID", help="token that fills up short prompts")
    add("--stop-words", "stop_words", nargs="+", metavar="TEXT", help="texts that end an answer")
    group.add_argument("--num-gpus", action=_Replaced, help=argparse.SUPPRESS)


_KEYWORDS = {
    "--model-kwargs": "loading the model",
    "--tokenizer-kwargs": "loading the tokenizer",
    "--peft-kwargs": "loading the adapter",
    "--generation-kwargs": "generating",
}


def _add_custom(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--custom-dataset-path", dest=_CUSTOM + "path", metavar="FILE", help="a .jsonl, .csv or .parquet file"
    )
    group.add_argument(
        "--custom-dataset-meta-path", dest=_CUSTOM + "meta_path", metavar="FILE", help="its description, as JSON"
    )
    group.add_argument(
        "--custom-dataset-data-type",
        dest=_CUSTOM + "data_type",
        choices=("mcq", "qa", "circular-mcq"),
        help="options, or free answers",
    )
    group.add_argument(
        "--custom-dataset-infer-method",
        dest=_CUSTOM + "infer_method",
        choices=("gen", "ppl"),
        help="generate answers, or compare the likelihoods of options",
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
