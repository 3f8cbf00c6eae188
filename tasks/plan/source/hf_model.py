"""The model entry that the `--hf-*` flags describe."""

from pathlib import PurePosixPath

from tasks.plan.request import HFModel
from tasks.spec.findings import Place
from tasks.spec.values import ConfigDict

_CLASSES = {
    "chat": "opencompass.models.HuggingFacewithChatTemplate",
    "base": "opencompass.models.HuggingFaceBaseModel",
}
_FIELDS = (
    "path", "model_kwargs", "tokenizer_path", "tokenizer_kwargs", "generation_kwargs", "peft_path", "peft_kwargs",
    "max_seq_len", "max_out_len", "min_out_len", "batch_size", "pad_token_id",
)  # fmt: skip


def hf_entry(model: HFModel) -> ConfigDict:
    """The entry of `models`; its abbreviation is the last part of the path and `_hf`."""
    values = {
        "abbr": f"{PurePosixPath(model.path.rstrip('/')).name}_hf",
        "type": _CLASSES[model.type],
        **{name: getattr(model, name) for name in _FIELDS},
        "stop_words": list(model.stop_words),
        "run_cfg": ConfigDict(num_gpus=model.num_gpus),
    }
    return ConfigDict.placed(values, Place("--hf-path"), {})
