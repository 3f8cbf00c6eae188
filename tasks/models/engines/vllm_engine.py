"""Models that the run loads itself, with vLLM."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tasks.models.engines.backend import EngineBackend
from tasks.models.engines.huggingface import require, written_length
from tasks.models.engines.vllm_steps import VLLMOptions
from tasks.models.token_count import token_counter


@dataclass(kw_only=True, eq=False, repr=False)
class VLLMModel(EngineBackend):
    """Arguments that both classes share, under OpenCompass's names."""

    engine: ClassVar[str] = "tasks.models.engines.vllm_steps.VLLMEngine"
    packages: ClassVar[tuple[str, ...]] = ("vllm", "compass-llm-eval[vllm]")
    parallel_keys: ClassVar[tuple[str, ...]] = (
        "model_kwargs.tensor_parallel_size",
        "model_kwargs.pipeline_parallel_size",
    )

    path: str
    """Folder of the weights, or their id on the Hugging Face hub."""
    model_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For `vllm.LLM`: `tensor_parallel_size`, `max_model_len`, `trust_remote_code` (False unless set), …"""
    generation_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For `vllm.SamplingParams`; temperature 0 unless set."""
    max_seq_len: int | None = None
    lora_path: str | None = None
    stop_words: Sequence[str] = ()

    def __post_init__(self) -> None:
        """UserError if vLLM is missing."""
        super().__init__()
        require(("vllm",), "vllm", self.path)
        self.options = self._options()
        self.max_seq_len = self.max_seq_len or self.model_kwargs.get("max_model_len") or written_length(self.path)
        self.count_tokens = token_counter(self.path, None)

    def load(self) -> dict[str, Any]:
        return {"options": self.options}

    @abstractmethod
    def _options(self) -> VLLMOptions: ...

    def _common(self, **more: Any) -> VLLMOptions:
        return VLLMOptions(
            path=self.path,
            model_kwargs=self.model_kwargs,
            generation_kwargs=self.generation_kwargs,
            max_seq_len=self.max_seq_len,
            lora_path=self.lora_path,
            stop_words=tuple(self.stop_words),
            **more,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class VLLM(VLLMModel):
    """A base model: continues text, and tells how likely a text is."""

    prompt_form = "text"
    can_score = can_score_tokens = True

    mode: Literal["none", "mid"] = "none"
    """`mid`: a prompt that is too long loses its middle, else its front."""
    use_fastchat_template: bool = False
    """Without effect, which a warning says when a run is planned."""
    end_str: str | None = None
    """Answers end before it."""

    def _options(self) -> VLLMOptions:
        if self.end_str:
            self.stop_words = (*self.stop_words, self.end_str)
        return self._common(chat=False, cut="mid" if self.mode == "mid" else "front")


@dataclass(kw_only=True, eq=False, repr=False)
class VLLMwithChatTemplate(VLLMModel):
    """A chat model: its tokenizer's template words the messages."""

    prompt_form = "messages"

    tokenizer_only: bool = False
    """Accepted for compatibility: tokens are counted without loading the model."""
    fastchat_template: str | None = None
    """Without effect, which a warning says when a run is planned: the tokenizer's own template counts."""
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    think_tag: str = "</think>"

    def _options(self) -> VLLMOptions:
        return self._common(chat=True, chat_template_kwargs=self.chat_template_kwargs, think_tag=self.think_tag)
