"""The small file that tells how far a pair is in a stage, and why it failed if it did.

OpenCompass's concurrent task writes the same file (`status`, `total`, `completed`, `updated_at`).
"""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from tasks.spec.storage.run_folder import Pair, RunFolder, write_atomically

StateName = Literal["pending", "running", "done", "fail"]


class PairState(BaseModel):
    """State of one pair in one stage."""

    status: StateName
    total: int = 0
    """Samples."""
    completed: int = 0
    reason: str = ""
    """Why it failed or stopped, in one line."""
    updated_at: str = Field(default_factory=lambda: datetime.now().isoformat(timespec="seconds"))


def write_state(folder: RunFolder, stage: Literal["infer", "eval"], pair: Pair, state: PairState) -> None:
    """Replaces the pair's state file."""
    write_atomically(folder.state(stage, pair), state.model_dump_json(indent=4).encode())


def read_state(folder: RunFolder, stage: Literal["infer", "eval"], pair: Pair) -> PairState | None:
    """None if the stage has not touched the pair, or the file is unreadable."""
    try:
        return PairState.model_validate_json(folder.state(stage, pair).read_bytes())
    except (OSError, ValueError):
        return None
