"""OPT with 350 million parameters (Zhang et al. 2022, arXiv:2205.01068)."""

from opencompass.models import HuggingFaceBaseModel

models = [
    dict(
        type=HuggingFaceBaseModel,
        abbr="opt-350m-hf",
        path="facebook/opt-350m",
        max_seq_len=2048,
        max_out_len=1024,
        batch_size=64,
        run_cfg=dict(num_gpus=1),
    )
]
