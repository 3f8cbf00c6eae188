"""The prompts that OpenCompass 0.5.3 makes of one small dataset, for every form of template and model."""

from typing import Any

from support.dataset_specs import PROMPT, RAW_PROMPT, dataset_spec, fix_k, loaded

from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import to_wire_messages

ROW = {"question": "1+1=?", "answer": "2"}
DATA = loaded([ROW], [{"question": "2+2=?", "answer": "4"}, {"question": "3+3=?", "answer": "6"}])

DIALOGUE = {
    "round": [{"role": "HUMAN", "prompt": "Question: {question}"}, {"role": "BOT", "prompt": "Answer: {answer}"}]
}
BASE_META = {
    "begin": "S\n",
    "round": [
        {"role": "HUMAN", "begin": "<H>:", "end": "<eoh>\n"},
        {"role": "BOT", "begin": "<B>:", "end": "<eob>\n", "generate": True},
    ],
}
API_META = {
    "round": [{"role": "HUMAN", "api_role": "HUMAN"}, {"role": "BOT", "api_role": "BOT", "generate": True}],
}
SYSTEM = {"role": "SYSTEM", "api_role": "SYSTEM"}


def renderer(form: Any, meta: Any = None, **infer_cfg: Any) -> PromptRenderer:
    return PromptRenderer(dataset_spec(infer_cfg=infer_cfg), DATA, prompt_form=form, meta_template=meta)


def template(template: Any, **options: Any) -> dict[str, Any]:
    return {"type": PROMPT, "template": template, **options}


def few_shot_dialogue(meta: Any) -> Any:
    turns = [{"role": "HUMAN", "prompt": "{question}"}, {"role": "BOT", "prompt": "{answer}"}]
    begin = [{"role": "SYSTEM", "fallback_role": "HUMAN", "prompt": "Be brief."}, "</E>"]
    prompts = renderer(
        "messages",
        meta,
        ice_template=template({"round": turns}),
        retriever=fix_k(0, 1),
        prompt_template=template({"begin": begin, "round": turns}, ice_token="</E>"),
    )
    return prompts.generation(0).prompt


def test_a_text_without_examples() -> None:
    for form in ("text", "messages"):
        prompts = renderer(form, prompt_template=template("{x}\nQ: {question}\nA: {answer}"))
        assert prompts.generation(0).prompt == "{x}\nQ: 1+1=?\nA: "


def test_b_text_with_two_examples() -> None:
    prompts = renderer(
        "text",
        ice_template=template("{question}\n{answer}"),
        retriever=fix_k(0, 1),
        prompt_template=template("Solve.\n</E>{question}\n{answer}", ice_token="</E>"),
    )
    assert prompts.generation(0) == ("Solve.\n2+2=?\n4\n3+3=?\n6\n1+1=?\n", 2, 0)


def test_c_dialogue_for_a_base_model_without_meta_template() -> None:
    prompts = renderer("text", prompt_template=template(DIALOGUE))
    assert prompts.generation(0).prompt == "Question: 1+1=?\nAnswer: "


def test_d_dialogue_for_a_base_model_with_meta_template() -> None:
    prompts = renderer("text", BASE_META, prompt_template=template(DIALOGUE))
    assert prompts.generation(0).prompt == "S\n<H>:Question: 1+1=?<eoh>\n<B>:"
    assert prompts.label_prompts(0)["2"].prompt == "S\n<H>:Question: 1+1=?<eoh>\n<B>:Answer: 2<eob>\n"


def test_e_few_shot_dialogue_for_an_api() -> None:
    examples = [
        {"role": "BOT", "prompt": "4"},
        {"role": "HUMAN", "prompt": "3+3=?"},
        {"role": "BOT", "prompt": "6"},
        {"role": "HUMAN", "prompt": "1+1=?"},
    ]
    assert few_shot_dialogue(API_META) == [{"role": "HUMAN", "prompt": "Be brief.\n2+2=?"}, *examples]
    with_system = [{"role": "SYSTEM", "prompt": "Be brief."}, {"role": "HUMAN", "prompt": "2+2=?"}, *examples]
    assert few_shot_dialogue(API_META | {"reserved_roles": [SYSTEM]}) == with_system
    assert few_shot_dialogue(None) == with_system, "an API model without meta template gets the same"
    assert [message["role"] for message in to_wire_messages(with_system)] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]


def test_f_few_shot_dialogue_for_a_chat_template_without_system_role() -> None:
    meta = API_META | {"reserved_roles": [{"role": "SYSTEM", "api_role": "HUMAN"}]}
    assert to_wire_messages(few_shot_dialogue(meta)) == [
        {"role": "user", "content": "Be brief.\n2+2=?"},
        {"role": "assistant", "content": "4"},
        {"role": "user", "content": "3+3=?"},
        {"role": "assistant", "content": "6"},
        {"role": "user", "content": "1+1=?"},
    ]


def test_g_one_text_per_label() -> None:
    prompts = renderer("text", prompt_template=template({"A": "Q {question} A: 1", "B": "Q {question} A: 2"}))
    assert prompts.labels == ("A", "B")
    assert {label: rendered.prompt for label, rendered in prompts.label_prompts(0).items()} == {
        "A": "Q 1+1=? A: 1",
        "B": "Q 1+1=? A: 2",
    }


def test_h_raw_messages_with_a_message_of_the_model() -> None:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "{question}"}]
    meta = [{"role": "system", "content": "Extra. "}]
    prompts = renderer("messages", meta, prompt_template={"type": RAW_PROMPT, "messages": messages})
    assert prompts.generation(0).prompt == [
        {"role": "system", "content": "Extra. Be brief."},
        {"role": "user", "content": "1+1=?"},
    ]


def test_i_a_hidden_role_speaks_in_every_round() -> None:
    meta = {
        "round": [
            {"role": "HUMAN", "begin": "H:", "end": "\n"},
            {"role": "THOUGHTS", "begin": "T:", "end": "\n", "prompt": "None"},
            {"role": "BOT", "begin": "B:", "end": "\n", "generate": True},
        ]
    }
    turns = [
        {"role": "HUMAN", "prompt": "Hello"},
        {"role": "BOT", "prompt": "Hi"},
        {"role": "HUMAN", "prompt": "{question}"},
        {"role": "BOT", "prompt": "{answer}"},
    ]
    prompts = renderer("text", meta, prompt_template=template({"round": turns}))
    assert prompts.generation(0).prompt == "H:Hello\nT:None\nB:Hi\nH:1+1=?\nT:None\nB:"
