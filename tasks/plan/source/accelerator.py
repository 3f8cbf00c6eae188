"""Turns entries for Hugging Face models into entries for vLLM or LMDeploy (`--accelerator`)."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from tasks.plan.request import Accelerator
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.names.type_loading import written_type
from tasks.spec.values import ConfigDict

_CHAT = ("HuggingFacewithChatTemplate",)
_BASE = ("HuggingFace", "HuggingFaceCausalLM", "HuggingFaceChatGLM3", "HuggingFaceBaseModel")
_KEPT = ("run_cfg", "batch_size", "max_out_len", "pred_postprocessor", "min_out_len", "summarizer_abbr", "max_seq_len")
_CHAT_BATCH = 16
_ROLES = ("models", "base_models", "compare_models", "judge_models")


def accelerate(values: ConfigDict, engine: Accelerator) -> tuple[ConfigDict, list[Finding]]:
    """The configuration with every Hugging Face model converted, and a warning for each model that is kept.

    Judges of the subjective evaluation are converted as well.
    """
    findings: list[Finding] = []

    def convert(entries: Any) -> Any:
        if not isinstance(entries, list | tuple):
            return entries
        return [
            _converted(entry, engine, findings) if isinstance(entry, Mapping) else convert(entry)
            for entry in cast(list[Any], entries)
        ]

    for key in ("models", "judge_models"):
        if key in values:
            values = values | {key: convert(values[key])}
    evaluation = values.get("eval")
    partitioner = evaluation.get("partitioner") if isinstance(evaluation, ConfigDict) else None
    if isinstance(evaluation, ConfigDict) and isinstance(partitioner, ConfigDict):
        roles = {role: convert(partitioner[role]) for role in _ROLES if role in partitioner}
        values = values | {"eval": evaluation | {"partitioner": partitioner | roles}}
    return values, findings


def _converted(model: Any, engine: Accelerator, findings: list[Finding]) -> ConfigDict:
    name = written_type(model["type"]).rpartition(".")[2] if "type" in model else ""
    if name not in (*_CHAT, *_BASE):
        message = f"--accelerator {engine} keeps {model.get('abbr', name)}: {name or 'it'} is no Hugging Face model"
        findings.append(Finding(message, model.place, kind=FindingKind.WARNING))
        return model
    form = "chat" if name in _CHAT else "base"
    new = _CONVERSIONS[engine, form](model)
    kept = {key: model[key] for key in _KEPT if key in model}
    if form == "chat":
        kept.setdefault("batch_size", _CHAT_BATCH)
    abbr = {"abbr": _abbr(str(model["abbr"]), engine)} if "abbr" in model else {}
    return ConfigDict.placed({**abbr, "path": model["path"], **kept, **new}, model.place, model.lines)


def _abbr(abbr: str, engine: str) -> str:
    return abbr.replace("hf", engine) if "-hf" in abbr else f"{abbr}-{engine}"


def _vllm_chat(model: Any) -> dict[str, Any]:
    return {
        "type": "opencompass.models.VLLMwithChatTemplate",
        "model_kwargs": _vllm_engine(model),
        "generation_kwargs": _vllm_sampling(model),
        **_given(model, "stop_words"),
    }


def _vllm_base(model: Any) -> dict[str, Any]:
    ends = [*model.get("stop_words", ()), *([model["end_str"]] if model.get("end_str") else [])]
    return {
        "type": "opencompass.models.VLLM",
        "model_kwargs": _vllm_engine(model),
        "generation_kwargs": _vllm_sampling(model),
        **_given(model, "meta_template"),
        **({"stop_words": ends} if ends else {}),
    }


def _vllm_engine(model: Any) -> dict[str, Any]:
    engine = {"tensor_parallel_size": _gpus(model)}
    if model.get("max_seq_len"):
        engine["max_model_len"] = model["max_seq_len"]
    own = {key: value for key, value in (model.get("model_kwargs") or {}).items() if key != "device_map"}
    return engine | own


def _vllm_sampling(model: Any) -> dict[str, Any]:
    renamed = {"min_new_tokens": "min_tokens", "eos_token_id": "stop_token_ids"}
    kwargs: dict[str, Any] = model.get("generation_kwargs") or {}
    sampling = {renamed.get(k, k): v for k, v in kwargs.items() if k not in ("do_sample", "max_new_tokens")}
    if isinstance(sampling.get("stop_token_ids"), int):
        sampling["stop_token_ids"] = [sampling["stop_token_ids"]]
    if kwargs.get("do_sample") is False:
        sampling["temperature"] = 0
    return sampling


def _lmdeploy_chat(model: Any) -> dict[str, Any]:
    kwargs = model.get("generation_kwargs") or {}
    return {
        "type": "opencompass.models.TurboMindModelwithChatTemplate",
        "engine_config": _lmdeploy_engine(model) | _named("max_new_tokens", model.get("max_out_len")),
        "gen_config": dict(kwargs) or {"top_k": 1, "temperature": 1e-6, "top_p": 0.9},
        **_given(model, "stop_words"),
    }


def _lmdeploy_base(model: Any) -> dict[str, Any]:
    kwargs = model.get("generation_kwargs") or {}
    sampling = {
        "top_k": kwargs.get("top_k", 1),
        "temperature": kwargs.get("temperature", 0.001 if kwargs else 0.0),
        "top_p": kwargs.get("top_p", 0.9),
    }
    return {
        "type": "opencompass.models.TurboMindModelwithChatTemplate",
        "engine_config": _lmdeploy_engine(model),
        "gen_config": sampling | _named("max_new_tokens", model.get("max_out_len")),
        **_given(model, "stop_words", "meta_template"),
    }


def _lmdeploy_engine(model: Any) -> dict[str, Any]:
    return {
        **_named("session_len", model.get("max_seq_len")),
        "max_batch_size": model.get("batch_size", _CHAT_BATCH),
        "tp": _gpus(model),
    }


def _gpus(model: Any) -> int:
    return max(1, (model.get("run_cfg") or {}).get("num_gpus", 1))


def _given(model: Any, *names: str) -> dict[str, Any]:
    return {name: model[name] for name in names if model.get(name)}


def _named(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}


_CONVERSIONS: Mapping[tuple[str, str], Callable[[Any], dict[str, Any]]] = {
    ("vllm", "chat"): _vllm_chat,
    ("vllm", "base"): _vllm_base,
    ("lmdeploy", "chat"): _lmdeploy_chat,
    ("lmdeploy", "base"): _lmdeploy_base,
}
