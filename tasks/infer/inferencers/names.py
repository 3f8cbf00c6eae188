"""The inferencers a configuration can name."""

from tasks.infer.inferencers.chat import ChatInferencer, ParallelChatInferencer
from tasks.infer.inferencers.generation import (
    ChatMLInferencer,
    GenInferencer,
    ParallelChatMLInferencer,
    ParallelGenInferencer,
    SCInferencer,
)
from tasks.infer.inferencers.next_token import CLPInferencer
from tasks.infer.inferencers.perplexity import (
    InferencePPLOnlyInferencer,
    LLInferencer,
    PPLInferencer,
    PPLOnlyInferencer,
)
from tasks.infer.inferencers.text_losses import MinKPercentInferencer, SWCELossInferencer

__all__ = [
    "CLPInferencer",
    "ChatInferencer",
    "ChatMLInferencer",
    "GenInferencer",
    "InferencePPLOnlyInferencer",
    "LLInferencer",
    "MinKPercentInferencer",
    "PPLInferencer",
    "PPLOnlyInferencer",
    "ParallelChatInferencer",
    "ParallelChatMLInferencer",
    "ParallelGenInferencer",
    "SCInferencer",
    "SWCELossInferencer",
]
