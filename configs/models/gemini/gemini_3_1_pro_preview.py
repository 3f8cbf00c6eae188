"""Gemini 3.1 Pro through Google's SDK (`pip install 'compass-llm-eval[vendors]'`); needs GEMINI_API_KEY."""

from tasks.models.vendors.gemini import GeminiSDK

models = [
    dict(
        abbr="gemini-3.1-pro-preview",
        type=GeminiSDK,
        path="gemini-3.1-pro-preview",
        key="GEMINI_API_KEY",
        temperature=1.0,
        thinking=dict(thinking_level="high", include_thoughts=True),
        max_seq_len=1000000,
        max_out_len=65536,
        query_per_second=1,
        max_workers=8,
        batch_size=8,
        retry=10,
    )
]
