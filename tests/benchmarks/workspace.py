"""A user's folder with generated data, and the configurations that the benchmarks run."""

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.question_sets import question_sets

IN_FLIGHT = 64
GSM8K_TEST_ROWS = 1319
GSM8K_TRAIN_ROWS = 7473
_WORDS = ("shop", "apples", "dollars", "each", "week", "twice", "sells", "friends", "hours", "total", "basket", "price")

_WHOLE = "OpenAISDK"
"""The class of models whose answers come at once."""
_MODEL = """
models = [
    dict(
        type='{model}', abbr='mock', path='mock', key='EMPTY', openai_api_base='{api}', max_out_len=512,
        batch_size={in_flight}, retry=2,
    )
]
work_dir = '{work_dir}'
"""

_GSM8K = """
from mmengine.config import read_base

with read_base():
    from opencompass.configs.datasets.gsm8k.gsm8k_gen import gsm8k_datasets

datasets = gsm8k_datasets
"""

_CHOICE = """
from opencompass.datasets import CustomDataset
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from opencompass.utils.text_postprocessors import first_option_postprocess

datasets = [
    dict(
        abbr='{abbr}',
        type=CustomDataset,
        path='data/{abbr}.jsonl',
        reader_cfg=dict(input_columns=['question', 'A', 'B', 'C', 'D'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{{question}}'),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator), pred_postprocessor=dict(type=first_option_postprocess, options='ABCD')
        ),
    )
]
"""
_JOBS = """
infer = dict(
    partitioner=dict(type='NumWorkerPartitioner', num_worker={count}, num_split={count}, min_task_size=1),
    runner=dict(
        type='SlurmRunner', max_num_workers=100, poll_interval=1.0, submit_with='sbatch',
        task=dict(type='OpenICLInferTask'),
    ),
)
"""
_JUDGED = """
from opencompass.evaluator import GenericLLMEvaluator
from opencompass.models import OpenAISDK
from opencompass.tasks import OpenICLEvalTask, OpenICLEvalWatchTask
from all_right import all_right

for dataset in datasets:
    dataset['eval_cfg'] = dict(evaluator=dict(
        type=GenericLLMEvaluator,
        prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{prediction}}?')])),
        judge_cfg=dict(
            type=OpenAISDK, abbr='judge', path='judge', key='EMPTY', openai_api_base='{api}', batch_size={in_flight},
        ),
        dict_postprocessor=dict(type=all_right),
    ))
eval = dict(runner=dict(type='LocalRunner', max_num_workers=1, task=dict(type={task})))
"""
_ALL_RIGHT = """
def all_right(output, output_path):
    return {"accuracy": 100.0}
"""
_SAID = (
    "{text}. Therefore, the answer is ({letter}).", "{text}.\n\nAnswer: {letter}", "ANSWER: **{letter}**", "{letter}",
    "{letter}. {text}.", "{text}; option {letter} is correct.", "\\boxed{{{letter}}}", "{text}, I cannot tell which.",
)  # fmt: skip


class Workspace:
    """Configurations and data below one folder; all texts are the same in every run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def gsm8k(self, api: str, work_dir: str, in_flight: int = IN_FLIGHT, model: str = _WHOLE) -> str:
        """The packaged GSM8K configuration on generated problems of that dataset's shape; returns the config's name."""
        texts = random.Random(8)
        for split, rows in (("test", GSM8K_TEST_ROWS), ("train", GSM8K_TRAIN_ROWS)):
            answers = ({"question": words(texts, 240), "answer": f"{words(texts, 280)}\n#### {n}"} for n in range(rows))
            write_once(self.folder / f"data/gsm8k/{split}.jsonl", answers)
        return self._config(_GSM8K, api, work_dir, in_flight, model=model)

    def plain(self, sets: dict[str, int], api: str, work_dir: str, models: int = 1) -> str:
        """Datasets of so many rows, by name, asked without examples; returns the config's name."""
        texts = random.Random(1)
        for abbr, rows in sets.items():
            questions = ({"question": f"{abbr} {n} {words(texts, 200)}", "answer": str(n)} for n in range(rows))
            write_once(self.folder / f"data/{abbr}.jsonl", questions)
        return self._config(
            question_sets({abbr: f"data/{abbr}.jsonl" for abbr in sets}), api, work_dir, IN_FLIGHT, models
        )

    def judged(self, sets: dict[str, int], api: str, work_dir: str, *, watching: bool) -> str:
        """`plain` with a judge in place of the rule, who is asked beside the inference or after it."""
        name = self.plain(sets, api, work_dir)
        (self.folder / "all_right.py").write_text(_ALL_RIGHT)
        task = "OpenICLEvalWatchTask" if watching else "OpenICLEvalTask"
        with (self.folder / name).open("a") as file:
            file.write(_JUDGED.format(api=api, in_flight=IN_FLIGHT, task=task))
        return name

    def jobs(self, count: int, api: str, work_dir: str) -> str:
        """`plain` with one dataset that is cut into as many jobs of a cluster as it has rows."""
        name = self.plain({"jobs": count}, api, work_dir)
        with (self.folder / name).open("a") as file:
            file.write(_JOBS.format(count=count))
        return name

    def choices(self, name: str, count: int) -> str:
        """A run folder with answers to so many multiple-choice questions, as OpenCompass writes it; returns the config.

        Written piece by piece: what this process holds would count as the measured one's.
        """
        texts = random.Random(3)
        questions = (
            {"question": f"{n} {words(texts, 120)}", "A": "w", "B": "x", "C": "y", "D": "z", "answer": "ABCD"[n % 4]}
            for n in range(count)
        )
        write_once(self.folder / f"data/{name}.jsonl", questions)
        predictions = self.folder / name / "20250101_000000/predictions/mock" / f"{name}.json"
        if not predictions.exists():
            predictions.parent.mkdir(parents=True)
            with predictions.open("w") as file:
                for n in range(count):
                    said = texts.choice(_SAID).format(text=words(texts, 400), letter=texts.choice("ABCD"))
                    record = {"origin_prompt": words(texts, 200), "prediction": said}
                    file.write(f'{"," if n else "{"}\n    "{n}": {json.dumps(record)}')
                file.write("\n}\n")
        return self._config(_CHOICE.format(abbr=name), "http://127.0.0.1:9/v1", name, IN_FLIGHT)

    def _config(
        self, datasets: str, api: str, work_dir: str, in_flight: int, models: int = 1, model: str = _WHOLE
    ) -> str:
        name = f"{work_dir}.py"
        text = datasets + _MODEL.format(api=api, in_flight=in_flight, work_dir=work_dir, model=model)
        text += f"models += [dict(models[0], abbr=f'mock{{n}}', path=f'mock{{n}}') for n in range(1, {models})]\n"
        (self.folder / name).write_text(text)
        return name


def words(texts: random.Random, length: int) -> str:
    """Text of about so many bytes."""
    return " ".join(texts.choices(_WORDS, k=length // 6))


def write_once(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """JSON lines, unless the file is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)
