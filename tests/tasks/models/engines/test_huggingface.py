"""What the Hugging Face classes make of their arguments."""

from pathlib import Path
from typing import Any

import pytest
from support.asking import ask
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.models.interface import Request
from tasks.spec.build import build_models
from tasks.spec.findings import FindingKind, UserError
from tasks.spec.values import ConfigDict


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs_torch()
    return make_tiny_llama(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(autouse=True)
def _present(monkeypatch: pytest.MonkeyPatch):
    """Their packages need not be here to read arguments."""
    monkeypatch.setattr("tasks.models.engines.huggingface.find_spec", lambda name: object())


def build(name: str, **arguments: Any) -> Any:
    import tasks.models.engines.huggingface as classes

    return getattr(classes, name)(path="some/model", **arguments)


@pytest.mark.parametrize("name", ["HuggingFaceBaseModel", "HuggingFace", "HuggingFaceCausalLM"])
def test_base_models_read_text_and_score_it(name: str):
    model = build(name)
    assert (model.prompt_form, model.can_score, model.is_api) == ("text", True, False)
    assert model.options.cut == "front" and not model.options.chat


def test_chat_models_read_messages_and_cannot_score():
    model = build("HuggingFacewithChatTemplate", chat_template_kwargs={"enable_thinking": False})
    assert (model.prompt_form, model.can_score, model.options.cut) == ("messages", False, "none")
    assert model.options.chat_template_kwargs == {"enable_thinking": False}


@pytest.mark.parametrize(
    ("name", "arguments", "cut"),
    [
        ("HuggingFaceBaseModel", {"drop_middle": True}, "mid"),
        ("HuggingFaceBaseModel", {"tokenizer_kwargs": {"truncation_side": "right"}}, "rear"),
        ("HuggingFace", {"mode": "mid"}, "mid"),
        ("HuggingFacewithChatTemplate", {"mode": "mid"}, "mid"),
        ("HuggingFacewithChatTemplate", {"drop_middle": True}, "mid"),
    ],
)
def test_which_part_of_a_long_prompt_goes(name: str, arguments: dict[str, Any], cut: str):
    assert build(name, **arguments).options.cut == cut


def test_the_older_class_keeps_its_names(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_MODEL_HUB", "/models")
    options = build("HuggingFace", end_str="\n").options
    assert (options.stop_words, options.cache_dir, options.max_seq_len) == (("\n",), "/models", 2048)
    assert build("HuggingFace", hf_cache_dir="/mine").options.cache_dir == "/mine"


@pytest.mark.parametrize("name", ["HuggingFaceBaseModel", "HuggingFacewithChatTemplate", "HuggingFaceCausalLM"])
def test_names_of_the_older_class_hold_for_all(name: str):
    legacy = {"batch_padding": True, "extract_pred_after_decode": True, "mode": "mid", "use_fastchat_template": False}
    options = build(name, **legacy, end_str="\n", hf_cache_dir="/mine", pad_token_id=-1).options
    assert (options.stop_words, options.cache_dir, options.cut, options.pad_token_id) == (("\n",), "/mine", "mid", -1)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("HuggingFacewithChatTemplate", "fastchat_template"),
        ("VLLMwithChatTemplate", "fastchat_template"),
        ("TurboMindModelwithChatTemplate", "fastchat_template"),
        ("HuggingFaceCausalLM", "use_fastchat_template"),
        ("VLLM", "use_fastchat_template"),
    ],
)
def test_templates_of_fastchat_are_a_warning_with_the_remedy(name: str, key: str):
    written = True if key.startswith("use") else "vicuna"
    entry = ConfigDict(type=name, abbr="m", path="lmsys/vicuna-7b", **{key: written})
    specs, findings = build_models(ConfigDict(models=[entry]))
    assert len(specs) == 1
    [finding] = [finding for finding in findings if key in finding.message]
    assert finding.kind is FindingKind.WARNING and "template" in finding.remedy


def test_missing_packages_are_a_finding_about_this_machine_with_the_install_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tasks.models.engines.huggingface.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'compass-llm-eval\[hf\]'") as caught:
        build("HuggingFaceBaseModel")
    assert caught.value.findings[0].kind is FindingKind.MACHINE


def test_length_and_tokenizer_of_a_model_on_this_machine_are_known_before_it_is_loaded(tiny: Path):
    from transformers import AutoTokenizer

    from tasks.models.engines.huggingface import HuggingFaceBaseModel

    model = HuggingFaceBaseModel(path=str(tiny))
    assert model.max_seq_len == 512 and model.count_tokens.exact
    ids = AutoTokenizer.from_pretrained(tiny)("The capital of France", add_special_tokens=False)["input_ids"]
    assert model.count_tokens("The capital of France") == len(ids)


def test_a_chat_is_answered_in_a_process_of_its_own(tiny: Path):
    from tasks.models.engines.huggingface import HuggingFacewithChatTemplate

    model = HuggingFacewithChatTemplate(path=str(tiny))
    answers = ask(model, *(Request(n, [{"role": "user", "content": f"{n}?"}], 4) for n in range(3)))
    assert [answer.usage.completion_tokens for answer in answers] == [4, 4, 4]
