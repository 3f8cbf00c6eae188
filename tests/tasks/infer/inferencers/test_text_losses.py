"""Min-K% and the loss under a sliding window: what is asked, and what is made of the answers."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.dialogues import hold, renderer_of
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.infer.inferencers.names import MinKPercentInferencer, SWCELossInferencer
from tasks.infer.inferencers.text_losses import lowest_mean, windows
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Likelihood, ScoreRequest
from tasks.spec.findings import UserError
from tasks.spec.status import Status

TEXT = "The capital of France is Paris, and the capital of Italy is Rome. " * 3
WORDS = re.compile(r"\w+|[^\w\s]")
CHINESE = "\u6211\u5011\u5728\u8ad6\u6587\u88e1" * 9


def renderer(text: str) -> Any:
    return renderer_of([{"question": text}], "{question}", output=None)


def test_the_least_likely_fifth_counts():
    values = [-float(n) for n in range(1, 11)]
    assert lowest_mean(values, 20) == -9.5
    assert lowest_mean([-3.0, -1.0], 20) == -3.0, "one at least"
    assert lowest_mean([], 20) is None


def test_mink_asks_for_every_token_of_the_whole_text():
    asked: list[ScoreRequest] = []

    def reply(ask: Any) -> Likelihood:
        asked.append(ask.request)
        return Likelihood(Status.OK, -10.0, 4, token_log_probabilities=(-1.0, -2.0, -3.0, -4.0))

    records = hold(MinKPercentInferencer(k=50), renderer(TEXT), reply)
    assert [(one.context, one.continuation, one.tokenwise) for one in asked] == [("", TEXT, True)]
    kept = [RequestRecord.from_json(record.to_json()) for record in records]
    sample = MinKPercentInferencer(k=50).sample(kept, None)
    assert (sample["mink"], sample["token_len"], sample["status"]) == (-3.5, 4, "ok")


@pytest.mark.parametrize("text", [TEXT, CHINESE, "word", "  blanks   and\n\nlines  ", "x" * 50, ""])
@pytest.mark.parametrize(("block", "stride"), [(1000, 100), (12, 5), (4, 4), (1, 1)])
def test_scored_parts_make_up_the_text_and_windows_are_as_long_as_they_may_be(text: str, block: int, stride: int):
    def count(piece: str) -> int:
        return len(piece.split()) if " " in text else len(piece)

    longest = 1 if text == CHINESE else max(map(len, text.split()), default=0)
    found = list(windows(text, count, block, stride))
    assert "".join(text[window.start : window.end] for window in found) == text
    for number, window in enumerate(found):
        limit = stride if number else block
        assert count(text[window.start : window.end]) <= max(limit, longest)
        assert count(text[window.context : window.start]) <= block - stride
        assert window.context == window.start if number == 0 or block == stride else window.context < window.start


def test_losses_of_the_windows_are_added_up():
    def reply(ask: Any) -> Likelihood:
        words = len(WORDS.findall(ask.request.continuation))
        return Likelihood(Status.OK, -2.0 * words, words)

    inferencer = SWCELossInferencer(block_size=10, stride=4)
    records = hold(inferencer, renderer(TEXT), reply)
    sample = inferencer.sample(records, None)
    words = len(WORDS.findall(TEXT))
    assert len(records) > 5 and sample["origin_prompt"] == TEXT
    assert (sample["loss"], sample["total_chr_num"], sample["token_len"]) == (2.0 * words, len(TEXT), words)


def test_a_window_without_an_answer_leaves_no_loss():
    inferencer = SWCELossInferencer(block_size=10, stride=4)
    records = hold(inferencer, renderer(TEXT), lambda ask: Likelihood(Status.ERROR, error="gone"))
    sample = inferencer.sample(records, None)
    assert sample["loss"] is None and sample["status"] == "error"


@pytest.mark.parametrize("make", [lambda: MinKPercentInferencer(k=0), lambda: SWCELossInferencer(10, 20)])
def test_options_that_mean_nothing_are_refused(make: Any):
    with pytest.raises(UserError):
        make()


def test_one_long_window_is_the_loss_that_transformers_compute(tmp_path: Path):
    needs_torch()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from tasks.models.engines.hf_engine import HFEngine
    from tasks.models.engines.hf_loading import HFOptions

    path = str(make_tiny_llama(tmp_path))
    engine = HFEngine(HFOptions(path=path, chat=False))
    tokenizer = AutoTokenizer.from_pretrained(path)
    ids = torch.tensor([tokenizer(TEXT)["input_ids"]])
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(path)(ids).logits[0, :-1].float()
    expected = torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none")

    def reply(ask: Any) -> Likelihood:
        done = dict(engine.add([ask.request]))
        while engine.is_busy:
            done |= dict(engine.step())
        return done[ask.request.index]  # type: ignore[return-value]

    whole, mink = SWCELossInferencer(), MinKPercentInferencer()
    loss = whole.sample(hold(whole, renderer(TEXT), reply), None)
    assert loss["loss"] == pytest.approx(expected.sum().item(), rel=1e-4)
    lowest = torch.topk(expected, max(1, len(expected) * 20 // 100)).values
    assert mink.sample(hold(mink, renderer(TEXT), reply), None)["mink"] == pytest.approx(
        -lowest.mean().item(), rel=1e-4
    )
    split = SWCELossInferencer(block_size=40, stride=16)
    cut = split.sample(hold(split, renderer(TEXT), reply), None)
    assert cut["token_len"] == loss["token_len"] and cut["loss"] == pytest.approx(loss["loss"], rel=0.3)
