"""Models that the run loads itself, with LMDeploy."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tasks.models.engines.backend import EngineBackend
from tasks.models.engines.huggingface import require, written_length
from tasks.models.engines.lmdeploy_steps import EngineKind, LMDeployOptions
from tasks.models.token_count import token_counter


@dataclass(kw_only=True, eq=False, repr=False)
class LMDeployModel(EngineBackend):
    """Arguments that both classes share, under OpenCompass's names."""

    engine: ClassVar[str] = "tasks.models.engines.lmdeploy_steps.LMDeployEngine"
    packages: ClassVar[tuple[str, ...]] = ("lmdeploy", "compass-llm-eval[lmdeploy]")
    parallel_keys: ClassVar[tuple[str, ...]] = ("engine_config.tp",)

    path: str
    """Folder of the weights, or their id on the Hugging Face hub."""
    backend: EngineKind = "turbomind"
    engine_config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For LMDeploy's engine: `tp`, `session_len` (default: `max_seq_len`), `max_batch_size`, …"""
    gen_config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """For LMDeploy's GenerationConfig; greedy unless `do_sample` is True."""
    max_seq_len: int | None = None
    drop_middle: bool = False
    """A prompt that is too long loses its middle."""
    trust_remote_code: bool = False

    def __post_init__(self) -> None:
        """UserError if LMDeploy is missing."""
        super().__init__()
        require(("lmdeploy", "transformers"), "lmdeploy", self.path)
        self.options = self._options()
        self.max_seq_len = self.max_seq_len or self.engine_config.get("session_len") or written_length(self.path)
        self.count_tokens = token_counter(self.path, None)

    def load(self) -> dict[str, Any]:
        return {"options": self.options}

    @abstractmethod
    def _options(self) -> LMDeployOptions: ...

    def _common(self, **more: Any) -> LMDeployOptions:
        return LMDeployOptions(
            path=self.path,
            backend=self.backend,
            engine_config=self.engine_config,
            gen_config=self.gen_config,
            max_seq_len=self.max_seq_len,
            trust_remote_code=self.trust_remote_code,
            **more,
        )


@dataclass(kw_only=True, eq=False, repr=False)
class TurboMindModel(LMDeployModel):
    """A base model: continues text, and tells how likely a text is."""

    prompt_form = "text"
    can_score = True

    concurrency: int = 8
    """Accepted for compatibility: the engine schedules by itself."""
    batch_padding: bool = False
    """Accepted for compatibility: the engine does not pad."""
    end_str: str | None = None
    """Answers end before it."""

    def _options(self) -> LMDeployOptions:
        stops = (self.end_str,) if self.end_str else ()
        return self._common(chat=False, cut="mid" if self.drop_middle else "front", stop_words=stops)


@dataclass(kw_only=True, eq=False, repr=False)
class TurboMindModelwithChatTemplate(LMDeployModel):
    """A chat model: its tokenizer's template words the messages."""

    prompt_form = "messages"

    tokenizer_only: bool = False
    """Accepted for compatibility: tokens are counted without loading the model."""
    fastchat_template: str | None = None
    """Without effect, which a warning says when a run is planned: the tokenizer's own template counts."""
    stop_words: Sequence[str] = ()
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    think_tag: str = "</think>"

    def _options(self) -> LMDeployOptions:
        return self._common(
            chat=True,
            cut="mid" if self.drop_middle else "none",
            stop_words=tuple(self.stop_words),
            chat_template_kwargs=self.chat_template_kwargs,
            think_tag=self.think_tag,
        )
