"""GPT-6 Astra through the Responses API; needs OPENAI_API_KEY, and uses OPENAI_BASE_URL if set."""

from tasks.models.services.openai_responses import OpenAISDKResponse

models = [
    dict(
        abbr="gpt-6-astra",
        type=OpenAISDKResponse,
        path="gpt-6-astra",
        key="ENV",
        max_seq_len=131072,
        max_out_len=32768,
        max_workers=8,
        batch_size=8,
        retry=5,
        timeout=1200,
    )
]
