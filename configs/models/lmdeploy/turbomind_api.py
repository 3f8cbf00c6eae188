"""A model on LMDeploy's server (`lmdeploy serve api_server MODEL --model-name NAME`), with text completion.

Environment: LMDEPLOY_API_ADDR is the server's address, LMDEPLOY_MODEL the served model name. For a chat model, add its
meta template, or use `openai_compatible`.
"""

import os

from tasks.models.services.turbomind_api import TurboMindAPIModel

models = [
    dict(
        abbr=os.getenv("LMDEPLOY_MODEL", "default") + "-turbomind-api",
        type=TurboMindAPIModel,
        model_name=os.getenv("LMDEPLOY_MODEL", "default"),
        api_addr=os.getenv("LMDEPLOY_API_ADDR", "http://127.0.0.1:23333"),
        temperature=0,
        max_seq_len=8192,
        max_out_len=1024,
        max_workers=8,
        batch_size=8,
        retry=5,
        timeout=600,
    )
]
