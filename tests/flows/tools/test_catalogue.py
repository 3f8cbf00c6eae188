"""The catalogue: made from the configurations, and up to date."""

import tomllib

import pytest
from support.exam_benchmarks import EXAMS
from support.language_benchmarks import LANGUAGE
from support.long_context_benchmarks import LONG_CONTEXT
from support.repository import ROOT

from flows.terminal.cli import main
from flows.tools.configs.catalogue import benchmarks

KEYS = {"title", "area", "measures", "metric", "licence", "source"}
ABOUT = tomllib.loads((ROOT / "configs/datasets/about.toml").read_text(encoding="utf-8"))


def test_the_page_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """`compass list --catalogue > docs/catalogue.md` makes it anew."""
    assert main(["list", "--catalogue"]) == 0
    assert capsys.readouterr().out == (ROOT / "docs/catalogue.md").read_text(encoding="utf-8")


def test_every_benchmark_is_described_and_nothing_else() -> None:
    assert {benchmark.folder for benchmark in benchmarks()} == set(ABOUT)
    for folder, about in ABOUT.items():
        assert KEYS <= about.keys() <= KEYS | {"rows"}, folder
        assert all(value and "|" not in value for value in about.values()), folder


def test_the_metrics_are_those_that_scores_have() -> None:
    """The tests of single benchmarks name the metric they look at."""
    looked_at = {row.config: row.metric for row in (*EXAMS, *LANGUAGE, *LONG_CONTEXT)}
    for benchmark in benchmarks():
        metrics = {looked_at[file.stem] for file in benchmark.files if file.stem in looked_at}
        named = benchmark.about["metric"].replace("(BLEU)", "").replace(",", " ").split()
        assert metrics <= set(named), benchmark.folder


def test_the_benchmarks_people_ask_for_are_there() -> None:
    asked = (
        "gsm8k gsm_hard mgsm svamp math aime2024 aime2025 TheoremQA mmlu mmlu_pro ceval cmmlu agieval "
        "GaokaoBench bbh ARC_c ARC_e hellaswag winogrande winograd piqa siqa obqa commonsenseqa "
        "SuperGLUE_BoolQ SuperGLUE_COPA SuperGLUE_WiC SuperGLUE_WSC CLUE_OCNLI CLUE_CMRC strategyqa nq "
        "triviaqa drop lambada truthfulqa race humaneval humanevalx mbpp cruxeval IFEval IFBench "
        "simpleqa gpqa flores lawbench longbench needlebench ruler subjective/multiround "
        "subjective/alpaca_eval subjective/arena_hard"
    )
    assert set(asked.split()) <= set(ABOUT)
