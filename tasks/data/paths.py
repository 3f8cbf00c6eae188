"""Where a dataset's files lie on this machine."""

import os
from pathlib import Path

from tasks.spec.findings import Finding, FindingKind, UserError

PACKAGED = "configs://"
"""Prefix of data shipped with the product: the rest is a path below the `configs` folder."""

_CONFIGS = Path(__file__).parents[2] / "configs"

_LOCAL_PATHS = {
    "opencompass/gsm8k": "data/gsm8k",
    "opencompass/ai2_arc-dev": "data/ARC/ARC-c/ARC-Challenge-Dev.jsonl",
    "opencompass/ai2_arc-easy-dev": "data/ARC/ARC-e/ARC-Easy-Dev.jsonl",
    "opencompass/commonsense_qa": "data/commonsenseqa",
    "opencompass/hellaswag": "data/hellaswag",
    "opencompass/openbookqa_test": "data/openbookqa/Main",
    "opencompass/openbookqa_fact": "data/openbookqa/Additional",
    "opencompass/piqa": "data/piqa",
    "opencompass/winogrande": "data/winogrande",
    "opencompass/bbh": "data/BBH/data",
    "opencompass/ifeval": "data/ifeval/input_data.jsonl",
    "opencompass/IFEval": "data/ifeval/input_data.jsonl",
    "opencompass/mmlu_pro": "data/mmlu_pro",
    "truthful_qa": "data/TruthfulQA",
    "opencompass/humaneval": "data/humaneval/human-eval-v2-20210705.jsonl",
    "opencompass/humanevalx": "data/humanevalx",
    "opencompass/mbpp": "data/mbpp/mbpp.jsonl",
    "opencompass/sanitized_mbpp": "data/mbpp/sanitized-mbpp.jsonl",
    "opencompass/cruxeval": "data/cruxeval/cruxeval.jsonl",
    "opencompass/math": "data/math",
    "opencompass/siqa": "data/siqa",
    "winograd_wsc": "data/winograd_wsc",
    "opencompass/boolq": "data/SuperGLUE/BoolQ/val.jsonl",
    "opencompass/copa": "data/SuperGLUE/COPA/val.jsonl",
    "opencompass/wic": "data/SuperGLUE/WiC/val.jsonl",
    "opencompass/wsc": "data/SuperGLUE/WSC/val.jsonl",
    "opencompass/OCNLI-dev": "data/CLUE/OCNLI/dev.json",
    "opencompass/cmrc_dev": "data/CLUE/CMRC/dev.json",
    "opencompass/strategy_qa": "data/strategyqa/strategyQA_train.json",
    "opencompass/natural_question": "data/nq",
    "opencompass/nq_open": "data/nq-open",
    "opencompass/trivia_qa": "data/triviaqa",
    "opencompass/lambada": "data/lambada/test.jsonl",
    "opencompass/simpleqa": "data/simpleqa/simple_qa_test_set.csv",
    "opencompass/flores": "data/flores_first100",
    "opencompass/IFBench": "data/IFBench/IFBench_test.jsonl",
    "opencompass/Longbench": "data/Longbench",
    "opencompass/gsm-hard": "data/gsm-hard/test.jsonl",
    "opencompass/mgsm": "data/mgsm",
    "opencompass/svamp": "data/svamp",
    "opencompass/aime2024": "data/aime.jsonl",
    "opencompass/aime2025": "data/aime2025",
    "opencompass/TheoremQA": "data/TheoremQA/theoremqa_test.json",
    "opencompass/mmlu": "data/mmlu",
    "opencompass/ceval-exam": "data/ceval/formal_ceval",
    "opencompass/cmmlu": "data/cmmlu",
    "opencompass/agieval": "data/AGIEval/data/v1",
    "opencompass/GAOKAO-BENCH": "data/GAOKAO-BENCH/data",
    "opencompass/gpqa": "data/gpqa",
    "opencompass/race": "data/race",
}
"""Dataset ids of OpenCompass and the folders its data packages unpack them to."""


def find_data_path(path: str) -> Path | None:
    """The first existing candidate for `path`, or None."""
    return next((candidate for candidate in candidates(path) if candidate.exists()), None)


def resolve_data_path(path: str) -> Path:
    """The existing file or folder that `path` of a dataset config means; never downloads.

    Raises UserError (a finding about this machine) that names every place looked at.
    """
    found = find_data_path(path)
    if found is None:
        raise UserError(absent(path))
    return found


def candidates(path: str) -> list[Path]:
    """Every place where `path` may lie, in the order they are tried."""
    if path.startswith(PACKAGED):
        return [_CONFIGS / path.removeprefix(PACKAGED)]
    local = Path(local_path(path)).expanduser()
    if local.is_absolute():
        return [local]
    cache = os.environ.get("COMPASS_DATA_CACHE")
    roots = [Path(cache).expanduser()] if cache else []
    return [root / local for root in (*roots, Path.cwd(), Path.home() / ".cache" / "opencompass")]


def local_path(path: str) -> str:
    """The relative folder behind a dataset id of OpenCompass; any other path unchanged."""
    return _LOCAL_PATHS.get(path, path)


def is_usual_path(path: str) -> bool:
    """Whether `path` is a dataset id of OpenCompass, or the folder or file that its data packages unpack one to."""
    written, known = Path(path), {Path(local) for local in _LOCAL_PATHS.values()}
    return path in _LOCAL_PATHS or written in known or written.parent in known


def absent(path: str, file: str = "") -> Finding:
    """The finding that nothing lies at `path` (or that its folder lacks `file`)."""
    places = [str(candidate / file) for candidate in candidates(path)]
    remedy = "put the data there"
    if not path.startswith(PACKAGED) and not Path(path).expanduser().is_absolute():
        remedy = f"set COMPASS_DATA_CACHE to the folder that holds {local_path(path)}, or put the data there"
    return Finding(f"no data at {path!r}; looked at " + ", ".join(places), remedy=remedy, kind=FindingKind.MACHINE)
