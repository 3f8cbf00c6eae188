"""Qwen2 0.5B, the small instruct model, loaded by transformers."""

from tasks.models.engines.huggingface import HuggingFacewithChatTemplate

models = [
    dict(
        type=HuggingFacewithChatTemplate,
        abbr="qwen2-0.5b-instruct-hf",
        path="Qwen/Qwen2-0.5B-Instruct",
        generation_kwargs=dict(do_sample=False),
        max_seq_len=32768,
        max_out_len=1024,
        batch_size=8,
        run_cfg=dict(num_gpus=1),
    )
]
