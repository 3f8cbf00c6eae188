"""A user's folder whose datasets are scored by a judge, chosen by the loop of the tutorial; one server plays all."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.fake_backend import add
from support.scripted_server import Call, ScriptedServer, Turn
from support.workspace import Workspace

_JUDGED = """\

from opencompass.evaluator import CascadeEvaluator, GenericLLMEvaluator
from opencompass.datasets import generic_llmjudge_postprocess

for dataset in datasets:
    llm_evaluator = dict(
        type=GenericLLMEvaluator,
        prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(
            role='HUMAN',
            prompt='Q: {{question}} GOLD: {{obj_gold}} SAID: {{prediction}} (A: CORRECT, B: INCORRECT)',
        )])),
        dataset_cfg=dict(type=dataset['type'], path=dataset['path'], reader_cfg=dataset['reader_cfg']),
        judge_cfg=dict(),
        dict_postprocessor=dict(type=generic_llmjudge_postprocess),
    )
    dataset['eval_cfg'] = dict(evaluator={evaluator})

judge_cfg = dict(
    abbr='judge-model', type=OpenAISDK, path='the-judge', key='{key}', openai_api_base='{url}', batch_size=8, retry=0,
    temperature=0.001, max_out_len=64, **{judge!r}
)
for dataset in datasets:
    inferencer = dataset.get('infer_cfg', {{}}).get('inferencer')
    if inferencer is not None:
        inferencer['max_out_len'] = 32
    evaluator = dataset.get('eval_cfg', {{}}).get('evaluator', {{}})
    if 'judge_cfg' in evaluator:
        evaluator['judge_cfg'] = judge_cfg
    if ('llm_evaluator' in evaluator
            and 'judge_cfg' in evaluator['llm_evaluator']):
        evaluator['llm_evaluator']['judge_cfg'] = judge_cfg
"""
BY_JUDGE = "llm_evaluator"
WATCHING = """\

from opencompass.partitioners import NaivePartitioner, NumWorkerPartitioner
from opencompass.runners import LocalRunner
from opencompass.tasks import OpenICLEvalWatchTask, OpenICLInferConcurrentTask

infer = dict(
    partitioner=dict(type=NumWorkerPartitioner, num_worker=1),
    runner=dict(type=LocalRunner, max_num_workers=1, task=dict(type=OpenICLInferConcurrentTask)),
)
eval = dict(
    partitioner=dict(type=NaivePartitioner),
    runner=dict(type=LocalRunner, max_num_workers=1, task=dict(type=OpenICLEvalWatchTask)),
)
"""
"""The tutorial's way to run: scoring begins beside inference."""
CASCADE = (
    "dict(type=CascadeEvaluator, parallel=False, rule_evaluator=dict(type=AccEvaluator), llm_evaluator=llm_evaluator)"
)


def is_judge(call: Call) -> bool:
    """Whether the judge is asked rather than the model."""
    return call.body["model"] == "the-judge"


def verdict(call: Call) -> str:
    """What an honest judge says to the prompt above."""
    gold, said = call.last_user.split(" GOLD: ")[1].split(" (A:")[0].split(" SAID: ")
    return "A" if gold == said else "B"


class JudgedWorkspace(Workspace):
    """`answers` makes the model's answers; `judge` what the judge does, an honest one where it returns None."""

    def __init__(self, folder: Path, answer: Callable[[str], str] = add) -> None:
        super().__init__(folder, ScriptedServer(answer, decide=self._decide))
        self.model: Callable[[Call], Turn | None] = lambda call: None
        self.judge: Callable[[Call], Turn | None] = lambda call: None
        self.asked = 0
        """How often the judge was asked."""

    def write_judged(
        self, rows: dict[str, int], evaluator: str = BY_JUDGE, *, key: str = "EMPTY", extra: str = "", **judge: Any
    ) -> None:
        """Datasets of sums, scored by the judge; keywords are put over its configuration."""
        text = _JUDGED.format(evaluator=evaluator, url=self.server.url, judge=judge, key=key)
        self.write(rows, extra=text + extra)

    def _decide(self, call: Call) -> Turn | None:
        if not is_judge(call):
            return self.model(call)
        self.asked += 1
        return self.judge(call) or Turn(text=verdict(call))
