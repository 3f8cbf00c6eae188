"""A base model on any service with a completions API; vLLM's server also scores texts (`_ppl` datasets).

Environment: OPENAI_BASE_URL is the service's address, OPENAI_API_KEY its key (any text if none is required),
OPENAI_MODEL the model's name there (`default` if the service has only one).
"""

import os

from tasks.models.services.openai_completion import OpenAISDKCompletion

models = [
    dict(
        abbr=os.getenv("OPENAI_MODEL", "default") + "-base",
        type=OpenAISDKCompletion,
        path=os.getenv("OPENAI_MODEL", "default"),
        key="ENV",
        temperature=0,
        max_seq_len=8192,
        max_out_len=1024,
        max_workers=8,
        batch_size=8,
        retry=5,
        timeout=600,
    )
]
