"""Loads a model and its tokenizer with transformers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from tasks.models.engines.interface import EngineError
from tasks.models.engines.prompt_tokens import CutSide
from tasks.spec.hub_offline import hub_remedy, offline_variable
from tasks.spec.storage.printable import one_line

_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
LENGTH_NAMES = ("max_position_embeddings", "seq_length", "model_max_length")
"""What configurations of models call the length of their context."""


@dataclass(frozen=True, kw_only=True)
class HFOptions:
    """What a Hugging Face model is loaded and asked with; see `tasks.models.engines.huggingface` for the names."""

    path: str
    chat: bool
    model_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tokenizer_path: str | None = None
    tokenizer_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    peft_path: str | None = None
    peft_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    generation_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    max_seq_len: int | None = None
    pad_token_id: int | None = None
    stop_words: tuple[str, ...] = ()
    cut: CutSide = "none"
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    think_tag: str = "</think>"
    batch_tokens: int | None = None
    cache_dir: str | None = None


def load_tokenizer(options: HFOptions) -> Any:
    """The tokenizer, with a token that fills up short prompts where that is given; EngineError if it cannot be had."""
    transformers: Any = import_module("transformers")
    kwargs = {"trust_remote_code": False, "cache_dir": options.cache_dir, **options.tokenizer_kwargs}
    name = options.tokenizer_path or options.path
    try:
        return transformers.AutoTokenizer.from_pretrained(name, **kwargs)
    except (OSError, ValueError, ImportError) as error:
        raise EngineError(_explained(error, name, "tokenizer_kwargs")) from error


def load_model(options: HFOptions) -> Any:
    """The model in evaluation mode, its adapter applied; EngineError names the key of what it needs."""
    transformers: Any = import_module("transformers")
    torch: Any = import_module("torch")
    kwargs = {"trust_remote_code": False, "cache_dir": options.cache_dir, **options.model_kwargs}
    kwargs["dtype"] = _dtype(kwargs.pop("torch_dtype", None) or kwargs.get("dtype"), torch)
    if torch.cuda.is_available():
        kwargs.setdefault("device_map", "auto")
    else:
        kwargs.pop("device_map", None)
    try:
        model = transformers.AutoModelForCausalLM.from_pretrained(options.path, **kwargs)
        if options.peft_path:
            peft: Any = import_module("peft")
            model = peft.PeftModel.from_pretrained(model, options.peft_path, **options.peft_kwargs)
    except (OSError, ValueError, ImportError) as error:
        raise EngineError(_explained(error, options.path, "model_kwargs")) from error
    return model.eval()


def context_length(options: HFOptions, config: Any) -> int:
    """Tokens of the model's context: as configured, else as its own configuration says."""
    if options.max_seq_len:
        return options.max_seq_len
    for name in LENGTH_NAMES:
        if length := getattr(config, name, None):
            return int(length)
    raise EngineError(f"{options.path} does not say how long its context is: add max_seq_len=…")


def padding_token(options: HFOptions, tokenizer: Any, generation_config: Any) -> int:
    """The token that fills up short prompts; negative numbers count from the end of the vocabulary."""
    candidates = (
        options.pad_token_id,
        tokenizer.pad_token_id,
        getattr(generation_config, "pad_token_id", None),
        tokenizer.eos_token_id,
    )
    for token in candidates:
        if token is not None:
            return token if token >= 0 else len(tokenizer) + token
    raise EngineError("the model names no token to fill up short prompts with: add pad_token_id=…")


def end_tokens(tokenizer: Any, generation_config: Any) -> list[int]:
    """The tokens that end an answer."""
    written: Any = getattr(generation_config, "eos_token_id", None)
    tokens: list[Any] = [*(written if isinstance(written, list) else [written]), tokenizer.eos_token_id]
    return [token for token in dict.fromkeys(tokens) if token is not None]


def _dtype(written: Any, torch: Any) -> Any:
    """`float16`, `torch.float16` or `auto`, which is what the weights are stored in."""
    if not isinstance(written, str) or written == "auto":
        return written or "auto"
    dtype = getattr(torch, written.removeprefix("torch."), None)
    if dtype is None:
        raise EngineError(f"torch has no type {written!r}: write 'auto', 'float16', 'bfloat16' or 'float32'")
    return dtype


def _explained(error: Exception, name: str, key: str) -> str:
    if "trust_remote_code" in str(error):
        return f"{name} brings code of its own: if you trust it, write {key}=dict(trust_remote_code=True)"
    if "couldn't connect" in str(error):
        remedy = hub_remedy("model", offline_variable(_OFFLINE))
        return f"{name} is neither here nor in the Hugging Face cache, and the hub cannot be reached: {remedy}"
    return f"{name} cannot be loaded: {one_line(str(error))}"
