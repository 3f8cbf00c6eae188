"""Any service with the chat-completions interface, whose answers arrive piece by piece: for long ones.

Environment: OPENAI_BASE_URL is the service's address, OPENAI_API_KEY its key (any text if it wants none),
OPENAI_MODEL the model's name there (`default` where the service has just one).
"""

import os

from tasks.models.services.openai_stream import OpenAISDKStreaming

models = [
    dict(
        abbr=os.getenv("OPENAI_MODEL", "default"),
        type=OpenAISDKStreaming,
        path=os.getenv("OPENAI_MODEL", "default"),
        key="ENV",
        max_seq_len=131072,
        max_out_len=32768,
        max_workers=8,
        batch_size=8,
        retry=5,
        timeout=3600,
    )
]
