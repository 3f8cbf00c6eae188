"""Claude Opus 5 through Anthropic's SDK (`pip install 'compass-llm-eval[vendors]'`); needs ANTHROPIC_API_KEY."""

from tasks.models.vendors.claude import ClaudeSDK

models = [
    dict(
        abbr="claude-opus-5",
        type=ClaudeSDK,
        path="claude-opus-5",
        key="ANTHROPIC_API_KEY",
        thinking=dict(type="adaptive"),
        stream=True,
        max_seq_len=1000000,
        max_out_len=131072,
        query_per_second=1,
        max_workers=8,
        batch_size=8,
        retry=10,
    )
]
