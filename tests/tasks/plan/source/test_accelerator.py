"""Hugging Face models turned into models of faster engines."""

from typing import Any

import pytest

from tasks.plan.source.accelerator import accelerate
from tasks.spec.build import build_models
from tasks.spec.findings import FindingKind, Place
from tasks.spec.values import ConfigDict, TypeRef, as_config

MODEL = {
    "abbr": "opt-125m-hf", "path": "facebook/opt", "max_seq_len": 2048, "max_out_len": 100, "batch_size": 4,
    "run_cfg": {"num_gpus": 2}, "stop_words": ["\n"],
    "generation_kwargs": {"do_sample": False, "min_new_tokens": 3, "eos_token_id": 2},
}  # fmt: skip


def converted(engine: Any, written: Any, **changes: Any) -> Any:
    values, findings = accelerate(as_config({"models": [{**MODEL, "type": written, **changes}]}, Place()), engine)
    assert findings == []
    return as_config(values, Place())["models"][0]


@pytest.mark.parametrize("written", ["HuggingFaceBaseModel", TypeRef("opencompass.models.HuggingFaceBaseModel")])
def test_base_models_in_both_spellings(written: Any):
    model = converted("vllm", written)
    assert (model.abbr, model.type) == ("opt-125m-vllm", "opencompass.models.VLLM")
    assert model.model_kwargs == {"tensor_parallel_size": 2, "max_model_len": 2048}
    assert model.generation_kwargs == {"min_tokens": 3, "stop_token_ids": [2], "temperature": 0}
    assert model.run_cfg.num_gpus == 2 and model.stop_words == ["\n"]


def test_chat_models_for_vllm_keep_their_stop_words():
    model = converted("vllm", "HuggingFacewithChatTemplate", abbr="mine", model_kwargs={"device_map": "auto"})
    assert (model.abbr, model.type) == ("mine-vllm", "opencompass.models.VLLMwithChatTemplate")
    assert "device_map" not in model.model_kwargs and model.stop_words == ["\n"]


def test_lmdeploy_gets_engine_and_sampling():
    model = converted("lmdeploy", "HuggingFacewithChatTemplate", generation_kwargs={})
    assert model.type.endswith("TurboMindModelwithChatTemplate")
    assert model.engine_config == {"session_len": 2048, "max_batch_size": 4, "tp": 2, "max_new_tokens": 100}
    assert model.gen_config == {"top_k": 1, "temperature": 1e-6, "top_p": 0.9}
    assert converted("lmdeploy", "HuggingFaceCausalLM").gen_config["max_new_tokens"] == 100


def test_what_is_no_hugging_face_model_is_kept_with_a_warning():
    api = {"type": "OpenAISDK", "abbr": "api", "path": "p"}
    values, findings = accelerate(as_config({"models": [api]}, Place()), "vllm")
    assert values["models"][0] == api
    assert [finding.kind for finding in findings] == [FindingKind.WARNING] and "keeps api" in str(findings[0])


def test_judges_of_a_subjective_evaluation_are_converted():
    judge = {**MODEL, "type": "HuggingFaceBaseModel"}
    config = {"models": [], "judge_models": [judge], "eval": {"partitioner": {"judge_models": [judge], "type": "X"}}}
    values: ConfigDict = as_config(accelerate(as_config(config, Place()), "vllm")[0], Place())
    assert values.judge_models[0].abbr == values.eval.partitioner.judge_models[0].abbr == "opt-125m-vllm"


@pytest.mark.parametrize("written", ["HuggingFaceBaseModel", "HuggingFacewithChatTemplate", "HuggingFaceCausalLM"])
@pytest.mark.parametrize("engine", ["vllm", "lmdeploy"])
def test_no_conversion_gives_an_option_that_the_class_does_not_know(engine: str, written: str):
    model = converted(engine, written)
    _, findings = build_models(ConfigDict(models=[model]))
    assert [finding for finding in findings if finding.kind is FindingKind.CONFIG] == []
