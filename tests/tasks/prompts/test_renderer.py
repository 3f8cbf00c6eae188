from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.dataset_specs import PROMPT, RAW_PROMPT, ZERO, dataset_spec, fix_k, loaded, sums

from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Prompt, prompt_text
from tasks.spec.findings import UserError

ROUND = [{"role": "HUMAN", "prompt": "{question}"}, {"role": "BOT", "prompt": "{answer}"}]
DIALOGUE = {"type": PROMPT, "template": {"round": ROUND}}
FEW_SHOT = {"type": PROMPT, "template": {"begin": ["</E>"], "round": ROUND}, "ice_token": "</E>"}
TEXT = {"type": PROMPT, "template": "{question} {answer}"}
FEW_SHOT_TEXT = {"type": PROMPT, "template": "</E>{question} {answer}", "ice_token": "</E>"}


def renderer(
    *,
    form: Any = "messages",
    meta: Any = None,
    output_column: str | None = "answer",
    rows: Any = None,
    limit: int | None = None,
    **infer_cfg: Any,
) -> PromptRenderer:
    spec = dataset_spec(infer_cfg=infer_cfg, output_column=output_column)
    data = loaded(sums(3), sums(9)) if rows is None else loaded(rows)
    return PromptRenderer(spec, data, prompt_form=form, meta_template=meta, max_prompt_tokens=limit, count_tokens=words)


def words(prompt: Prompt) -> int:
    return len(prompt_text(prompt).split())


def test_each_row_has_its_prompt() -> None:
    prompts = renderer(prompt_template=DIALOGUE)
    assert [prompts.generation(row).prompt for row in range(3)] == [
        [{"role": "HUMAN", "prompt": f"{n}+{n}=?"}] for n in (1, 2, 3)
    ]


@given(answer=st.text(min_size=1))
def test_the_answer_never_stands_in_a_prompt_that_asks_for_it(answer: str) -> None:
    row = {"question": "?", "answer": answer}
    template = {"type": PROMPT, "template": "{question}{answer}"}
    assert renderer(rows=[row], prompt_template=template).generation(0).prompt == "?"
    inferencer = {"type": "x", "gen_field_replace_token": "_"}
    assert renderer(rows=[row], prompt_template=template, inferencer=inferencer).generation(0).prompt == "?_"


def test_raw_messages_are_not_masked() -> None:
    raw = {"type": RAW_PROMPT, "messages": [{"role": "user", "content": "{question} {answer}"}]}
    assert renderer(prompt_template=raw).generation(0).prompt == [{"role": "user", "content": "1+1=? 2"}]


def test_one_template_may_serve_questions_and_examples() -> None:
    prompts = renderer(form="text", ice_template=FEW_SHOT_TEXT, retriever=fix_k(1, 2))
    assert prompts.generation(0).prompt == "2+2=? 4\n3+3=? 6\n1+1=? "


def test_separators_of_the_retriever_stand_between_and_after_text_examples() -> None:
    retriever = fix_k(1, 2, ice_separator=" | ", ice_eos_token=" || ")
    prompts = renderer(form="text", ice_template=TEXT, prompt_template=FEW_SHOT_TEXT, retriever=retriever)
    assert prompts.generation(0).prompt == "2+2=? 4 | 3+3=? 6 || 1+1=? "


def test_the_place_of_examples_may_stay_empty() -> None:
    for retriever in (ZERO, None):
        prompts = renderer(form="text", ice_template=TEXT, prompt_template=FEW_SHOT_TEXT, retriever=retriever)
        assert prompts.generation(0) == ("1+1=? ", 0, 0)
    assert renderer(prompt_template=FEW_SHOT).generation(0).prompt == [{"role": "HUMAN", "prompt": "1+1=?"}]


def test_raw_examples_are_spliced_into_raw_messages() -> None:
    example = {
        "type": RAW_PROMPT,
        "messages": [{"role": "user", "content": "{question}"}, {"role": "assistant", "content": "{answer}"}],
    }
    asking = {"type": RAW_PROMPT, "messages": ["</E>", {"role": "user", "content": "{question}"}]}
    prompt = renderer(ice_template=example, prompt_template=asking, retriever=fix_k(1)).generation(0).prompt
    assert [message["content"] for message in prompt if isinstance(message, dict)] == ["2+2=?", "4", "1+1=?"]


@pytest.mark.parametrize(("limit", "shown"), [(100, 4), (9, 4), (8, 3), (3, 1), (2, 0), (1, 0), (0, 0)])
def test_examples_are_dropped_from_the_end_until_the_prompt_fits(limit: int, shown: int) -> None:
    prompts = renderer(limit=limit, ice_template=DIALOGUE, prompt_template=FEW_SHOT, retriever=fix_k(1, 2, 3, 4))
    rendered = prompts.generation(0)
    assert (rendered.examples, rendered.dropped_examples) == (shown, 4 - shown)
    questions = [
        message["prompt"] for message in rendered.prompt if isinstance(message, dict) and message["role"] == "HUMAN"
    ]
    assert questions == [f"{n}+{n}=?" for n in [*[2, 3, 4, 5][:shown], 1]]


def test_all_labels_of_a_row_are_shown_the_same_examples() -> None:
    labels = {"type": PROMPT, "template": {"short": "</E>a", "long": "</E>a b c"}, "ice_token": "</E>"}
    prompts = renderer(form="text", limit=5, ice_template=TEXT, prompt_template=labels, retriever=fix_k(1, 2))
    assert prompts.label_prompts(0) == {"short": ("2+2=? 4\na", 1, 1), "long": ("2+2=? 4\na b c", 1, 1)}


def test_examples_of_a_template_with_labels_are_worded_by_their_answer() -> None:
    by_label = {
        "type": PROMPT,
        "template": {"2": "</E>two {question}", "4": "</E>four {question}"},
        "ice_token": "</E>",
    }
    prompts = renderer(form="text", ice_template=by_label, retriever=fix_k(1))
    assert prompts.label_prompts(0)["2"].prompt == "four 2+2=?\ntwo 1+1=?"


def test_a_template_without_labels_gets_each_distinct_reference_in_place_of_the_answer() -> None:
    rows = [*sums(2), *sums(2)]
    prompts = renderer(form="text", rows=rows, prompt_template=TEXT)
    assert prompts.labels == ("2", "4")
    assert {label: rendered.prompt for label, rendered in prompts.label_prompts(1).items()} == {
        "2": "2+2=? 2",
        "4": "2+2=? 4",
    }


def test_the_inferencer_may_name_the_labels() -> None:
    template = {"type": PROMPT, "template": {"A": "a", "B": "b", "C": "c"}}
    assert renderer(prompt_template=template, inferencer={"type": "x", "labels": ["C", "A"]}).labels == ("C", "A")
    with pytest.raises(UserError, match="(?s)no label 'D'.*'A', 'B', 'C'"):
        _ = renderer(prompt_template=template, inferencer={"type": "x", "labels": ["D"]}).labels


def test_labels_need_a_source() -> None:
    with pytest.raises(UserError, match="no labels to choose from"):
        renderer(prompt_template=TEXT, output_column=None).label_prompts(0)


def test_braces_of_examples_are_not_filled_from_the_question() -> None:
    rows = [{"question": "What is {answer}?", "answer": "7"}, {"question": "And?", "answer": "8"}]
    prompts = renderer(form="text", rows=rows, ice_template=TEXT, prompt_template=FEW_SHOT_TEXT, retriever=fix_k(0))
    assert prompts.generation(1).prompt == "What is {answer}? 7\nAnd? "


def test_text_that_no_role_says_is_left_out_for_chat_models_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    template = {"type": PROMPT, "template": {"begin": "Loose.", "round": ROUND}}
    assert renderer(prompt_template=template).generation(0).prompt == [{"role": "HUMAN", "prompt": "1+1=?"}]
    assert "text without a role" in caplog.text


UNKNOWN_ROLE = {"type": PROMPT, "template": {"round": [{"role": "USER", "prompt": "{question}"}]}}
RAW = {"type": RAW_PROMPT, "messages": [{"role": "user", "content": "{question}"}]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"(?s)sums\.infer_cfg: there is no template.*add prompt_template"),
        ({"ice_template": TEXT}, "(?s)ice_template has no ice_token.*add ice_token"),
        ({"ice_template": TEXT, "prompt_template": TEXT}, "prompt_template has no ice_token"),
        (
            {"prompt_template": FEW_SHOT_TEXT, "retriever": fix_k(0)},
            "(?s)nothing says how they are worded.*add ice_template",
        ),
        (
            {"ice_template": DIALOGUE, "prompt_template": FEW_SHOT_TEXT, "retriever": fix_k(0)},
            "(?s)no place for examples that are turns.*same form",
        ),
        (
            {"ice_template": DIALOGUE, "prompt_template": {**DIALOGUE, "ice_token": "</E>"}, "retriever": fix_k(0)},
            "(?s)no place.*into 'begin'",
        ),
        (
            {"ice_template": RAW, "prompt_template": RAW, "retriever": fix_k(0)},
            "(?s)no place.*put '</E>' where they go",
        ),
        (
            {"ice_template": TEXT, "prompt_template": FEW_SHOT, "retriever": fix_k(0)},
            "(?s)outside of any turn.*as a dialogue",
        ),
        ({"prompt_template": DIALOGUE, "retriever": fix_k(9)}, r"sums\.infer_cfg\.retriever: fix_id_list names 9"),
        ({"prompt_template": UNKNOWN_ROLE}, r"(?s)sums\.infer_cfg: .*no role 'USER'.*fallback_role"),
        ({"prompt_template": {"template": "x"}}, r"sums\.infer_cfg\.prompt_template: it has no type"),
        (
            {"prompt_template": {"type": PROMPT, "templat": "x"}},
            "(?s)PromptTemplate takes no argument 'templat'.*'template'",
        ),
        ({"prompt_template": {"type": PROMPT, "template": 1}}, r"sums\.infer_cfg\.prompt_template: template is a int"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_to_write(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        renderer(**options)


def test_a_row_that_cannot_be_rendered_is_named_with_the_dataset() -> None:
    prompts = renderer(prompt_template={"type": RAW_PROMPT, "messages": [{"expand_column": "history"}]})
    with pytest.raises(UserError, match=r"sums\.infer_cfg: expand_column: the row has no column 'history'"):
        prompts.generation(0)


def test_an_example_that_is_the_row_itself_is_left_out() -> None:
    rows = [{"question": f"q{number}", "answer": f"a{number}"} for number in range(3)]
    prompts = renderer(form="text", rows=rows, ice_template=TEXT, prompt_template=FEW_SHOT_TEXT, retriever=fix_k(0, 1))
    assert prompts.generation(2).prompt == "q0 a0\nq1 a1\nq2 "
    assert prompts.generation(1).prompt == "q0 a0\nq1 "
    assert prompts.generation(0).prompt == "q1 a1\nq0 "
