"""MT-Bench, AlpacaEval and Arena-Hard from configuration to score; what AlpacaEval published comes out again.

AlpacaEval (Li et al. 2023): answers of alpaca-7b to 805 instructions, and what two judges preferred.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.judged_benchmarks import BASE_ANSWER, alpaca_outputs, alpaca_preferences, lay_out
from support.published import published_facts
from support.scripted_server import Call, ScriptedServer, Turn
from support.workspace import Workspace

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import write_json

_CONFIG = """\
from opencompass.models import OpenAISDK
from tasks.spec import read_base

with read_base():
    {imports}

datasets = {datasets}
api = dict(type=OpenAISDK, key='EMPTY', openai_api_base={url!r}, batch_size=16)
models = [api | dict(abbr='alpaca-7b', path='alpaca-7b')]
for dataset in datasets:
    dataset['eval_cfg']['evaluator']['judge_cfg'] = api | dict(abbr='the-judge', path='the-judge')
work_dir = 'outputs'
"""
_RUN = "20231201_000000"


class Judging(ScriptedServer):
    """A server whose judge says what `verdict` makes of a prompt; it keeps all prompts."""

    def __init__(self) -> None:
        super().__init__(lambda question: f"An answer to: {question}", decide=self._decide)
        self.prompts: list[str] = []

    def verdict(self, prompt: str) -> str:
        raise NotImplementedError

    def _decide(self, call: Call) -> Turn | None:
        if call.body["model"] != "the-judge":
            return None
        text = "\n".join(message["content"] for message in call.body["messages"])
        self.prompts.append(text)
        return Turn(text=self.verdict(text))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Judging]:
    lay_out(tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(tmp_path / "cache"))
    with Judging() as server:
        yield server


def evaluate(folder: Path, server: Judging, benchmark: str, datasets: str, *arguments: str) -> Workspace:
    imports = f"from opencompass.configs.datasets.subjective.{benchmark} import {datasets}"
    (folder / "my_eval.py").write_text(_CONFIG.format(imports=imports, datasets=datasets, url=server.url))
    assert main(["my_eval.py", "--inline", "--no-progress", *arguments]) == 0
    return Workspace(folder, server)


def test_mtbench_rates_both_turns_and_shows_the_judge_references(tmp_path: Path, server: Judging):
    server.verdict = lambda prompt: "Fine, though short.\n\n[[4]]" if "second_answer" in prompt else "**Rating: [[8]]**"
    run = evaluate(
        tmp_path,
        server,
        "multiround.mtbench_gen",
        "mtbench_datasets",
        "--set",
        "datasets.0.reader_cfg.test_range='[29:31]'",
    )
    found = run.read("results/alpaca-7b/mtbench.json")
    assert (found["average"], found["turn_1"], found["turn_2"]) == (6.0, 8.0, 4.0)
    assert found["by_capability"] == [{"reasoning": 6.0, "math": 6.0}]
    triangle = next(prompt for prompt in server.prompts if "circumscribing" in prompt)
    assert "Area = 0" in triangle and "<second_answer>\nAn answer to: What's area of the circle" in triangle
    assert run.read("predictions/alpaca-7b/mtbench.json")["1"]["prediction"][1]["round"] == 2
    assert (run.run_folder / "results/alpaca-7b_judged-by--the-judge/mtbench.json").exists()


def test_arena_hard_compares_in_both_orders_and_clear_wins_count_three_times(tmp_path: Path, server: Judging):
    server.verdict = lambda prompt: (
        "My own solution: …\n\n[[B>>A]]" if prompt.index(BASE_ANSWER) < prompt.index("An answer") else "So: [[B>A]]"
    )
    run = evaluate(tmp_path, server, "arena_hard.arenahard_compare", "arenahard_datasets", "--limit", "3")
    found = run.read("results/alpaca-7b/arenahard.json")
    assert (found["score"], found["win_rate"]) == (75.0, 50.0)
    assert len(server.prompts) == 6
    table = next((run.run_folder / "summary").rglob("ArenaHard_arenahard.csv")).read_text()
    assert re.search(r"alpaca-7b,1190\.85,", table) and "gpt4-0314,1000.00" in table


def test_alpaca_eval_repeats_the_published_win_rate_from_the_recorded_judgments(tmp_path: Path, server: Judging):
    preferences = alpaca_preferences("alpaca_eval_gpt4")
    records = {str(number): {"prediction": row["output"]} for number, row in enumerate(alpaca_outputs())}
    write_json(tmp_path / "outputs" / _RUN / "predictions" / "alpaca-7b" / "alpaca_eval.json", records)

    def judge(prompt: str) -> str:
        question = prompt.split("<instruction>\n")[1].split("\n</instruction>", maxsplit=1)[0]
        base_is_first = prompt.split("<m>\n")[1].startswith(BASE_ANSWER)
        share = _share_of_win(preferences[question])
        return "[[T]]" if share == 0.5 else "[[m]]" if (share == 0) == base_is_first else "[[M]]"

    server.verdict = judge
    run = evaluate(tmp_path, server, "alpaca_eval.alpaca_eval_gen", "alpaca_eval_datasets", "-m", "eval", "-r", _RUN)
    found = run.read("results/alpaca-7b/alpaca_eval.json")
    published = published_facts("model_outputs/alpaca_eval")["published_score"]
    assert found["win_rate"] == pytest.approx(float(published["alpaca-7b/alpaca_eval_gpt4_leaderboard.csv"]))
    assert round(found["win_rate"], 2) == 26.46 and len(server.prompts) == 805
    assert set(found["by_capability"][0]) == {"helpful_base", "koala", "oasst", "selfinstruct", "vicuna"}


def _share_of_win(preference: float) -> float:
    """The second model's share of a win: preferences go from 1 (the first is better) to 2 (the second), 0 is a draw."""
    return 0.5 if preference == 0 else preference - 1


_THEIR_FORM = """\
from opencompass.datasets import AlpacaEvalDataset, MTBenchDataset, alpacaeval_postprocess, mtbench_postprocess
from opencompass.models import OpenAISDK
from opencompass.openicl.icl_evaluator import LMEvaluator
from opencompass.openicl.icl_inferencer import ChatInferencer, GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from opencompass.partitioners import NaivePartitioner, SizePartitioner
from opencompass.partitioners.sub_naive import SubjectiveNaivePartitioner
from opencompass.runners import LocalRunner
from opencompass.summarizers import AlpacaSummarizer, SubjectiveSummarizer
from opencompass.tasks import OpenICLInferTask
from opencompass.tasks.subjective_eval import SubjectiveEvalTask

api = dict(type=OpenAISDK, key='EMPTY', openai_api_base={url!r}, batch_size=16)
gpt4 = [api | dict(abbr='gpt4-turbo', path='gpt4-turbo')]
models = [api | dict(abbr='alpaca-7b', path='alpaca-7b')]

def judged(text, postprocessor, **options):
    template = dict(begin=[dict(role='SYSTEM', fallback_role='HUMAN', prompt='Judge.')],
                    round=[dict(role='HUMAN', prompt=text)])
    return dict(
        evaluator=dict(type=LMEvaluator, prompt_template=dict(type=PromptTemplate, template=template),
                       dict_postprocessor=dict(type=postprocessor, **options)),
        pred_role='BOT',
    )

datasets = [
    dict(
        abbr='alpaca_eval', type=AlpacaEvalDataset, path={data!r}, name='alpaca_eval',
        reader_cfg=dict(input_columns=['question'], output_column='judge', test_range='[:3]'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{question}}')])),
            retriever=dict(type=ZeroRetriever), inferencer=dict(type=GenInferencer),
        ),
        eval_cfg=judged('{{question}} m: {{prediction}} M: {{prediction2}}', alpacaeval_postprocess),
        mode='m2n', infer_order='random', base_models=gpt4, given_pred=[dict(abbr='gpt4-turbo', path={data!r})],
        summarizer=dict(type=AlpacaSummarizer, judge_type='v2'),
    ),
    dict(
        abbr='mtbench_0.1', type=MTBenchDataset, path='data/subjective/mtbench', name='mtbench_0.1',
        judge_type='single',
        reader_cfg=dict(input_columns=['dialogue', 'capability'], output_column='judge', test_range='[:2]'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{{dialogue}}'),
            retriever=dict(type=ZeroRetriever), inferencer=dict(type=ChatInferencer, infer_mode='every'),
        ),
        eval_cfg=judged('{{question_2}} {{prediction_r2}}', mtbench_postprocess, judge_type='single'),
        mode='singlescore',
    ),
]
judge_models = [api | dict(abbr='the-judge', path='the-judge')]
infer = dict(
    partitioner=dict(type=SizePartitioner, max_task_size=1000, strategy='split'),
    runner=dict(type=LocalRunner, max_num_workers=16, task=dict(type=OpenICLInferTask)),
)
eval = dict(
    partitioner=dict(type=SubjectiveNaivePartitioner, models=models, judge_models=judge_models),
    runner=dict(type=LocalRunner, max_num_workers=16, task=dict(type=SubjectiveEvalTask)),
)
summarizer = dict(type=SubjectiveSummarizer, function='subjective')
work_dir = 'outputs'
"""


def test_a_configuration_in_the_form_of_opencompass_runs_as_it_is(tmp_path: Path, server: Judging):
    server.verdict = lambda prompt: "m" if " m: An answer" in prompt else "M" if " M: An answer" in prompt else "[[7]]"
    data = tmp_path / "cache" / "data" / "subjective" / "alpaca_eval"
    (tmp_path / "my_eval.py").write_text(_THEIR_FORM.format(url=server.url, data=str(data)))
    assert main(["my_eval.py", "--inline", "--no-progress"]) == 0
    run = Workspace(tmp_path, server)
    assert run.read("results/gpt4-turbo_alpaca-7b_judged-by--the-judge/alpaca_eval.json")["win_rate"] == 100.0
    assert run.read("results/alpaca-7b_judged-by--the-judge/mtbench_0.1.json")["average"] == 7.0
    [table] = (run.run_folder / "summary").rglob("Subjective_all_results-judged-by--the-judge.csv")
    assert table.read_text().splitlines() == ["model,alpaca_eval,mtbench_0.1", "alpaca-7b,100.00,7.00"]
