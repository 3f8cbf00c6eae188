"""Runs an inferencer's dialogue with made-up answers, without a model, a ledger or a shard."""

from collections.abc import Callable
from typing import Any

from support.dataset_specs import loaded

from tasks.infer.inferencers.interface import Answer, Ask, Inferencer, Limits
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Completion, Likelihood, Request
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.specs import DatasetSpec, ReaderSpec
from tasks.spec.status import Status

Reply = Callable[[Ask], Answer]


def renderer_of(
    rows: list[dict[str, Any]],
    template: Any,
    *,
    inputs: tuple[str, ...] = ("question",),
    output: str | None = "answer",
    form: Any = "text",
    raw: bool = False,
    train: list[dict[str, Any]] | None = None,
    example: Any = None,
) -> PromptRenderer:
    """A renderer of rows under a prompt template, a raw one or one of texts and dialogues; all `train` are examples."""
    kind = "RawPromptTemplate" if raw else "PromptTemplate"
    prompt = {"type": f"tasks.prompts.templates.{kind}", ("messages" if raw else "template"): template}
    infer_cfg: dict[str, Any] = {"prompt_template": prompt, "inferencer": {}}
    if train is not None:
        prompt["ice_token"] = "</E>"
        infer_cfg["ice_template"] = {"type": "tasks.prompts.templates.PromptTemplate", "template": example}
        infer_cfg["retriever"] = {
            "type": "tasks.prompts.retrievers.FixKRetriever",
            "fix_id_list": list(range(len(train))),
        }
    spec = DatasetSpec(
        abbr="d",
        type="tasks.data.custom.CustomDataset",
        written_type="CustomDataset",
        reader=ReaderSpec(input_columns=inputs, output_column=output),
        infer_cfg=infer_cfg,
    )
    return PromptRenderer(spec, loaded(rows, train), prompt_form=form)


def hold(inferencer: Inferencer, renderer: PromptRenderer, reply: Reply, row: int = 0) -> list[RequestRecord]:
    """The records of one row."""
    records: list[RequestRecord] = []
    dialogue = inferencer.dialogue(renderer, row, Limits(max_out_len=64))
    try:
        asks = next(dialogue)
        while True:
            answers = [reply(ask) for ask in asks]
            records += [_record(ask, answer) for ask, answer in zip(asks, answers, strict=True)]
            asks = dialogue.send(answers)
    except StopIteration:
        return records


def saying(*texts: str) -> Reply:
    """Gives the texts one after the other."""
    left = list(texts)
    return lambda ask: Completion(Status.OK, (left.pop(0),), "stop")


def finding(likelihoods: dict[str, float]) -> Reply:
    """A likelihood by the scored text, which has a token per word."""

    def reply(ask: Ask) -> Answer:
        request = ask.request
        assert not isinstance(request, Request)
        return Likelihood(Status.OK, likelihoods[request.continuation], len(request.continuation.split()))

    return reply


def _record(ask: Ask, answer: Answer) -> RequestRecord:
    request = ask.request
    if isinstance(request, Request):
        return RequestRecord("0" * 64, "generate", ask.part, request.prompt, answer)
    return RequestRecord(
        "0" * 64, "loglikelihood", ask.part, request.context + request.continuation, answer, ask.examples
    )
