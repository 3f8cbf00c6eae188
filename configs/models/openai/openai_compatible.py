"""Any service with a chat completions API.

Environment: OPENAI_BASE_URL is the service's address, OPENAI_API_KEY its key (any text if none is required),
OPENAI_MODEL the model's name there (`default` if the service has only one).
"""

import os

from tasks.models.services.openai_chat import OpenAISDK

models = [
    dict(
        abbr=os.getenv("OPENAI_MODEL", "default"),
        type=OpenAISDK,
        path=os.getenv("OPENAI_MODEL", "default"),
        key="ENV",
        max_seq_len=32768,
        max_out_len=4096,
        max_workers=8,
        batch_size=8,
        retry=5,
        timeout=600,
    )
]
