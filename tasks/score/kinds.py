"""The evaluation task types a configuration can name."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OpenICLEvalTask:
    """Scores pairs after inference."""

    dump_details: bool = True
    """Whether results files keep one record per sample."""
    judge_cfg: dict[str, Any] | None = None
    cal_extract_rate: bool = False
    """Whether `extract_rate` is one of the metrics."""


@dataclass(frozen=True)
class OpenICLEvalWatchTask(OpenICLEvalTask):
    """Scores a pair as soon as its inference is complete, beside the running inference."""

    watch_interval: float = 5.0
    """Accepted for compatibility: completed pairs are handed over at once, without polling."""
    heartbeat_timeout: float = 60.0
    """Seconds without a sign of life after which a cluster's job of the inference counts as failed."""
    log_interval: float = 30.0
    """Accepted for compatibility: every scored pair is logged when it is scored."""


@dataclass(frozen=True)
class SubjectiveEvalTask(OpenICLEvalTask):
    """Scores pairs after inference: objective and subjective ones, each its own way, whichever task is named."""
