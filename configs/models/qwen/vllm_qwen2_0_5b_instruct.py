"""Qwen2 0.5B, the small instruct model, loaded by vLLM."""

from tasks.models.engines.vllm_engine import VLLMwithChatTemplate

models = [
    dict(
        type=VLLMwithChatTemplate,
        abbr="qwen2-0.5b-instruct-vllm",
        path="Qwen/Qwen2-0.5B-Instruct",
        model_kwargs=dict(tensor_parallel_size=1),
        generation_kwargs=dict(temperature=0),
        max_seq_len=32768,
        max_out_len=1024,
        batch_size=8,
        run_cfg=dict(num_gpus=1),
    )
]
