"""Models that the run loads itself, with Hugging Face transformers."""

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Literal

from tasks.models.engines.backend import EngineBackend
from tasks.models.engines.hf_loading import LENGTH_NAMES, HFOptions
from tasks.models.engines.prompt_tokens import CutSide
from tasks.models.token_count import token_counter
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.storage.json_text import parse_json


@dataclass(kw_only=True, eq=False, repr=False)
class HuggingFaceModel(EngineBackend):
    """Arguments that the classes of this file share, under OpenCompass's names."""

    engine: ClassVar[str] = "tasks.models.engines.hf_engine.HFEngine"
    packages: ClassVar[tuple[str, ...]] = ("torch", "compass-llm-eval[hf]")
    runs_on_cpu: ClassVar[bool] = True
    prompt_form = "text"

    path: str
    """Folder of the weights, or their id on the Hugging Face hub."""
    model_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For loading the model: `dtype`, `device_map`, `trust_remote_code` (False unless set), …"""
    tokenizer_path: str | None = None
    tokenizer_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    peft_path: str | None = None
    """An adapter to load on top."""
    peft_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    hf_cache_dir: str | None = None
    """Where the hub's files are kept, if not in the library's own place."""
    tokenizer_only: bool = False
    """Accepted for compatibility: tokens are counted without loading the model."""
    generation_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For generating; greedy unless `do_sample` is True."""
    max_seq_len: int | None = None
    """The context in tokens; the model's own where None."""
    drop_middle: bool = False
    """A prompt that is too long loses its middle. Otherwise base models lose its front, chat models are not asked."""
    mode: Literal["none", "mid"] = "none"
    """`mid` is the older name of `drop_middle`."""
    stop_words: Sequence[str] = ()
    """Answers end before the first of these."""
    end_str: str | None = None
    """One more of them, by its older name."""
    pad_token_id: int | None = None
    """What fills up short prompts of a batch; negative numbers count from the vocabulary's end."""
    batch_tokens: int | None = None
    """Places in a batch, filler included."""
    batch_padding: bool = False
    """Accepted for compatibility: batches are always padded."""
    extract_pred_after_decode: bool = False
    """Accepted for compatibility: answers never contain the prompt."""
    use_fastchat_template: bool = False
    """Without effect, which a warning says when a run is planned."""

    def __post_init__(self) -> None:
        """UserError if transformers or torch are missing."""
        super().__init__()
        require(("torch", "transformers", *(("peft",) if self.peft_path else ())), "hf", self.path)
        self.options = self._options()
        self.max_seq_len = self.max_seq_len or written_length(self.path)
        self.count_tokens = token_counter(self.path, self.tokenizer_path)

    def load(self) -> dict[str, Any]:
        return {"options": self.options}

    @property
    def loses_middle(self) -> bool:
        """Whether a prompt that is too long loses its middle."""
        return self.drop_middle or self.mode == "mid"

    @abstractmethod
    def _options(self) -> HFOptions: ...

    def _common(self, **more: Any) -> HFOptions:
        return HFOptions(
            path=self.path,
            model_kwargs=self.model_kwargs,
            tokenizer_path=self.tokenizer_path,
            tokenizer_kwargs=self.tokenizer_kwargs,
            peft_path=self.peft_path,
            peft_kwargs=self.peft_kwargs,
            cache_dir=self.hf_cache_dir,
            generation_kwargs=self.generation_kwargs,
            max_seq_len=self.max_seq_len,
            pad_token_id=self.pad_token_id,
            stop_words=(*self.stop_words, *filter(None, (self.end_str,))),
            batch_tokens=self.batch_tokens,
            **more,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class HuggingFaceBaseModel(HuggingFaceModel):
    """A base model: continues text, and tells how likely a text is."""

    can_score = can_score_tokens = True

    def _options(self) -> HFOptions:
        return self._common(chat=False, cut="mid" if self.loses_middle else _cut_side(self.tokenizer_kwargs))


@dataclass(kw_only=True, eq=False, repr=False)
class HuggingFacewithChatTemplate(HuggingFaceModel):
    """A chat model: its tokenizer's template words the messages."""

    prompt_form = "messages"

    fastchat_template: str | None = None
    """Without effect, which a warning says when a run is planned: the tokenizer's own template counts."""
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For the chat template, e.g. `enable_thinking`."""
    think_tag: str = "</think>"
    """What ends the reasoning in an answer's text."""

    def _options(self) -> HFOptions:
        return self._common(
            chat=True,
            cut="mid" if self.loses_middle else "none",
            chat_template_kwargs=self.chat_template_kwargs,
            think_tag=self.think_tag,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class HuggingFace(HuggingFaceBaseModel):
    """A base model under OpenCompass's older name, with its shorter context."""

    max_seq_len: int | None = 2048
    hf_cache_dir: str | None = field(default_factory=lambda: os.environ.get("HF_MODEL_HUB"))


@dataclass(kw_only=True, eq=False, repr=False)
class HuggingFaceCausalLM(HuggingFace):
    """The same, under the name that OpenCompass gives to decoders."""


def require(packages: Sequence[str], extra: str, what: str) -> None:
    """UserError with the install line if one of the packages is missing."""
    missing = [name for name in packages if not find_spec(name)]
    if missing:
        remedy = f"pip install 'compass-llm-eval[{extra}]'"
        message = f"{what} needs {', '.join(missing)}, which this machine has not got"
        raise UserError(Finding(message, remedy=remedy, kind=FindingKind.MACHINE))


def written_length(path: str) -> int | None:
    """The context length that a model on this machine says it has; None if it is not here or does not say."""
    config = _config_file(path)
    if config is None:
        return None
    try:
        values = parse_json(config.read_bytes())
        values = {**values.get("text_config", {}), **values}
        return next((int(values[name]) for name in LENGTH_NAMES if values.get(name)), None)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise UserError(Finding(f"{config} is not the configuration of a model: {error}")) from None


def _config_file(path: str) -> Path | None:
    local = Path(path).expanduser() / "config.json"
    if local.is_file():
        return local
    if path.count("/") != 1 or not find_spec("huggingface_hub"):
        return None
    from huggingface_hub import try_to_load_from_cache

    cached = try_to_load_from_cache(path, "config.json")
    return Path(cached) if isinstance(cached, str) else None


def _cut_side(tokenizer_kwargs: Mapping[str, Any]) -> CutSide:
    """What a base model's prompt loses if it is too long: its front, so that the question stays."""
    return "rear" if tokenizer_kwargs.get("truncation_side") == "right" else "front"
