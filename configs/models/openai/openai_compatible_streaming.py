"""Any service with a chat completions API, with streaming, for long outputs.

Environment: OPENAI_BASE_URL is the service's address, OPENAI_API_KEY its key (any text if none is required),
OPENAI_MODEL the model's name there (`default` if the service has only one).
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
