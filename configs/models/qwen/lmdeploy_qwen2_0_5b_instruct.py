"""Qwen2 0.5B, the small instruct model, loaded by LMDeploy."""

from tasks.models.engines.lmdeploy_engine import TurboMindModelwithChatTemplate

models = [
    dict(
        type=TurboMindModelwithChatTemplate,
        abbr="qwen2-0.5b-instruct-lmdeploy",
        path="Qwen/Qwen2-0.5B-Instruct",
        engine_config=dict(tp=1, max_batch_size=64),
        gen_config=dict(do_sample=False),
        max_seq_len=32768,
        max_out_len=1024,
        batch_size=8,
        run_cfg=dict(num_gpus=1),
    )
]
