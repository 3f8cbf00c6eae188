"""The inferencers a configuration can name."""

from tasks.infer.chatting import ChatInferencer, ParallelChatInferencer
from tasks.infer.generating import (
    ChatMLInferencer,
    GenInferencer,
    ParallelChatMLInferencer,
    ParallelGenInferencer,
    SCInferencer,
)
from tasks.infer.next_token import CLPInferencer
from tasks.infer.perplexity import InferencePPLOnlyInferencer, LLInferencer, PPLInferencer, PPLOnlyInferencer
from tasks.infer.text_losses import MinKPercentInferencer, SWCELossInferencer

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
