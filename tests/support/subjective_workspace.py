"""A user's folder with sums, which are right or wrong, and essays, which judges compare; one server plays everybody."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from support.fake_backend import add
from support.scripted_server import Call, ScriptedServer, Turn
from support.specs import write_rows
from support.workspace import Workspace

from tasks.spec.storage.run_folder import write_json

_ESSAYS = """\

from opencompass.datasets import alpacaeval_postprocess, mtbench_postprocess
from opencompass.openicl.icl_evaluator import LMEvaluator
from opencompass.partitioners import SubjectiveNaivePartitioner
from opencompass.summarizers import SubjectiveSummarizer
from opencompass.tasks import SubjectiveEvalTask

def api(name, **more):
    return dict(
        type=OpenAISDK, abbr=name, path=name, key='EMPTY', openai_api_base={url!r}, batch_size=8, retry=0, **more
    )

def prompt(text):
    return dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt=text)]))

models = models + [api(name) for name in {models!r}]
PAIR = prompt('TOPIC {{question}} FIRST {{prediction}} SECOND {{prediction2}} END [[m]], [[M]] or [[T]]?')
SINGLE = prompt('TOPIC {{question}} FIRST {{prediction}} END [[1]] to [[10]]?')
REVIEW = prompt('TOPIC {{question}} REVIEW {{judgement}} END')
single = dict(evaluator=dict(type=LMEvaluator, prompt_template=SINGLE, judge_cfg=dict(),
                             dict_postprocessor=dict(type=mtbench_postprocess)))
pair = dict(evaluator=dict(type=LMEvaluator, prompt_template=PAIR, judge_cfg=dict(),
                           dict_postprocessor=dict(type=alpacaeval_postprocess)))
essays = dict(
    abbr='essays', type=CustomDataset, path={folder!r} + '/essays.jsonl',
    reader_cfg=dict(input_columns=['question'], output_column=None),
    infer_cfg=datasets[0]['infer_cfg'],
)
judge_cfg = api('judge', temperature=0.001, max_out_len=64, **{judge!r})
"""
_TUTORIALS_LOOP = """\

for dataset in datasets:
    evaluator = dataset.get('eval_cfg', {}).get('evaluator', {})
    if 'judge_cfg' in evaluator:
        evaluator['judge_cfg'] = judge_cfg
"""
ROWS = [{"question": f"essay {number}", "capability": "odd" if number % 2 else "even"} for number in range(6)]
BASE = [f"base about {row['question']}" for row in ROWS]


class SubjectiveWorkspace(Workspace):
    """Models answer `<model> about <topic>`, judges as `judge` says for the name of the judge and the two answers."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, ScriptedServer(add, decide=self._decide))
        self.judge: Callable[[str, str, str], str] = lambda name, first, second: "[[T]]"
        self.write_essay: Callable[[str, str], str] = lambda model, topic: f"{model} about {topic}"
        self.asked: Counter[str] = Counter()
        """How often each model was asked."""

    def write_essays(
        self, datasets: str, models: tuple[str, ...] = ("writer",), *, extra: str = "", **judge: Any
    ) -> None:
        """`datasets` is the list of the configuration; `sums`, `essays`, `single` and `pair` are there to be used."""
        write_rows(self.folder / "essays.jsonl", ROWS)
        write_json(self.folder / "base" / "essays.json", {str(i): {"prediction": text} for i, text in enumerate(BASE)})
        text = _ESSAYS.format(url=self.server.url, models=list(models), folder=str(self.folder), judge=judge)
        self.write({"sums": 4}, extra=f"{text}sums = datasets[0]\ndatasets = {datasets}\n{_TUTORIALS_LOOP}{extra}")

    @property
    def given(self) -> str:
        """The answers of the base model, as a configuration names them."""
        return f"[dict(abbr='base', path={str(self.folder / 'base')!r})]"

    def _decide(self, call: Call) -> Turn | None:
        name, text = call.body["model"], call.last_user
        self.asked[name] += 1
        if name.startswith("judge"):
            shown = re.search(r"TOPIC (.*?) (?:FIRST|REVIEW) (.*?)(?: SECOND (.*?))? END", text, re.DOTALL)
            assert shown, text
            return Turn(text=self.judge(name, shown[2], shown[3] or ""))
        return None if text.startswith("What is") else Turn(text=self.write_essay(name, text))
