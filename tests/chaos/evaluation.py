"""What the rounds evaluate: ten models, twenty datasets, two of them judged; answers follow from the questions."""

import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chaos.proxy import Proxy
from support.fake_backend import add
from support.scripted_server import Call, ScriptedServer, Turn
from support.specs import write_rows
from support.workspace import Workspace

MODELS, DATASETS, JUDGED, ROWS = 10, 20, 2, 4
AT_ONCE, IN_FLIGHT, JUDGE_IN_FLIGHT = 4, 4, 2
WINDOW = AT_ONCE * (IN_FLIGHT + JUDGE_IN_FLIGHT)
"""The most requests that are on their way at one moment."""
SAMPLES = MODELS * DATASETS * ROWS

_CONFIG = """
from opencompass.datasets import generic_llmjudge_postprocess
from opencompass.evaluator import GenericLLMEvaluator

asked = dict(models[0], openai_api_base={url!r})
models = [dict(asked, abbr=f'model{{n}}', path=f'model{{n}}') for n in range({models})]
for dataset in datasets[:{judged}]:
    dataset['eval_cfg'] = dict(evaluator=dict(
        type=GenericLLMEvaluator,
        prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(
            role='HUMAN',
            prompt='Q: {{question}} GOLD: {{obj_gold}} SAID: {{prediction}} (A: CORRECT, B: INCORRECT)',
        )])),
        dataset_cfg=dict(type=dataset['type'], path=dataset['path'], reader_cfg=dataset['reader_cfg']),
        judge_cfg=dict(asked, abbr='judge', path='judge', batch_size={judge_in_flight}, max_out_len=64),
        dict_postprocessor=dict(type=generic_llmjudge_postprocess),
    ))
"""


@dataclass
class Evaluation:
    """A user's folder; its models are reached through a network of their own."""

    workspace: Workspace
    proxy: Proxy

    @property
    def asked(self) -> Counter[str]:
        """Requests that reached the models, by body."""
        return self.workspace.server.bodies


@contextmanager
def evaluation(folder: Path, extra: str = "") -> Iterator[Evaluation]:
    """The folder with its configuration, and the models that answer; `extra` is put below the configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    server = ScriptedServer(add, decide=_answer, latency=0.05)
    with server, Proxy(server.port) as proxy:
        workspace = Workspace(folder, server)
        names = [f"sums{number}" for number in range(DATASETS)]
        values = {"models": MODELS, "judged": JUDGED, "judge_in_flight": JUDGE_IN_FLIGHT, "url": proxy.url}
        workspace.write(dict.fromkeys(names, 0), extra=_CONFIG.format(**values) + extra, timeout=4)
        for number, name in enumerate(names):
            write_rows(folder / f"{name}.jsonl", [_row(100 * number + row) for row in range(ROWS)])
        yield Evaluation(workspace, proxy)


def _row(number: int) -> dict[str, Any]:
    return {"question": f"What is {number} + {number + 1}?", "answer": str(2 * number + 1)}


def _answer(call: Call) -> Turn | None:
    """Right for most, and whatever else an answer can be for some; the judge is honest."""
    if call.body["model"] == "judge":
        gold, said = call.last_user.split(" GOLD: ")[1].split(" (A:")[0].split(" SAID: ")
        return Turn(text="A" if gold == said else "B")
    kind = zlib.crc32(f"{call.body['model']} {call.last_user}".encode()) % 16
    turns = {0: Turn(text="7"), 1: Turn(text=""), 2: Turn(finish_reason="length"), 3: Turn(text="雪 \ud83d\u2028 end")}
    return turns.get(kind)
