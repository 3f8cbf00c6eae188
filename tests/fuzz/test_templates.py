"""Any template and meta template either words a prompt or is refused with a finding, before a model is asked."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import JSON, SCALARS, TEXTS, answer_of, changed, tries
from support.dataset_specs import PROMPT, RAW_PROMPT, dataset_spec, fix_k, loaded

from tasks.data.ranges import select_rows
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Prompt, prompt_text
from tasks.spec.findings import UserError

ROUND = [{"role": "HUMAN", "prompt": "{question}"}, {"role": "BOT", "prompt": "{answer}"}]
BEGIN = ["</E>", {"role": "SYSTEM", "fallback_role": "HUMAN", "prompt": "x"}]
LABELS = {"A": "</E>{question} A", "B": "</E>{question} B"}
MESSAGES = [{"role": "user", "content": "{question}"}, {"expand_column": "more"}]
TEMPLATES = [
    {
        "prompt_template": {
            "type": PROMPT,
            "template": {"begin": BEGIN, "round": ROUND, "end": "e"},
            "ice_token": "</E>",
        },
        "ice_template": {"type": PROMPT, "template": {"round": ROUND}},
        "retriever": fix_k(1, 2),
    },
    {
        "prompt_template": {"type": PROMPT, "template": LABELS, "ice_token": "</E>"},
        "ice_template": {"type": PROMPT, "template": "{question} {answer}"},
        "retriever": fix_k(0),
    },
    {"prompt_template": {"type": RAW_PROMPT, "messages": MESSAGES}},
]
META = {
    "round": [
        {"role": "HUMAN", "begin": "<u>", "end": "\n", "api_role": "HUMAN"},
        {"role": "BOT", "begin": "<b>", "generate": True},
    ],
    "reserved_roles": [{"role": "SYSTEM", "api_role": "SYSTEM", "begin": "<s>"}],
    "begin": "b",
    "end": "e",
    "eos_token_id": 3,
}
ROWS = [{"question": "1+1=?", "answer": "2", "more": [{"role": "user", "content": "x"}]}] * 3


def word(infer_cfg: dict[str, Any], meta: Any, form: Literal["text", "messages"], rows: Any) -> list[Prompt]:
    renderer = PromptRenderer(
        dataset_spec(infer_cfg=infer_cfg, output_column="answer"),
        loaded(rows, ROWS),
        prompt_form=form,
        meta_template=meta,
        max_prompt_tokens=8,
        count_tokens=lambda prompt: len(prompt_text(prompt)),
    )
    return [renderer.generation(row).prompt for row in range(len(rows))]


@tries(250)
@given(
    data=st.data(),
    form=st.sampled_from(["text", "messages"]),
    cfg=st.sampled_from(TEMPLATES),
    meta=st.none() | st.just(META) | changed(META),
)
def test_any_template(data: st.DataObject, form: Any, cfg: dict[str, Any], meta: Any) -> None:
    cfg = data.draw(changed(cfg) | st.just(cfg))
    prompts = answer_of(lambda: word(cfg, meta, form, ROWS))
    assert isinstance(prompts, UserError) or all(isinstance(prompt_text(prompt), str) for prompt in prompts)


@tries(100)
@given(template=TEXTS | st.text("{}question answer</E>!:.", max_size=30), question=JSON)
def test_any_text_around_any_value(template: str, question: Any) -> None:
    (prompt,) = word(
        {"prompt_template": {"type": PROMPT, "template": template}},
        None,
        "text",
        [{"question": question, "answer": "2"}],
    )
    assert isinstance(prompt, str)


@tries(300)
@given(
    selector=SCALARS | st.text("[]:-0123456789 ,.e", max_size=12) | st.lists(st.integers(), max_size=2),
    size=st.integers(0, 30),
)
def test_any_range_selects_rows_or_is_refused(selector: Any, size: int) -> None:
    rows = answer_of(lambda: list(select_rows(selector, size)))
    if isinstance(rows, UserError):
        assert repr(selector)[:30] in str(rows)
    else:
        assert len(rows) == len(set(rows)) and all(0 <= row < size for row in rows)


@pytest.mark.parametrize("selector", ["[" + " " * 5000, "[1" + " " * 5000 + ":" + " " * 5000, "[0:1]" * 5000 + "x"])
def test_a_range_is_refused_at_once(selector: str) -> None:
    with pytest.raises(UserError, match="cannot read the range"):
        select_rows(selector, 5)
