"""A tiny language model made on the spot: 2 layers, a tokenizer of a few sentences, always the same weights."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

CHAT_TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] }}</s>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)
_SENTENCES = [
    "The capital of France is Paris, and the capital of Italy is Rome.",
    "What is 3 + 4? The answer is 7. Question: which of these is right? Answer: A B C D",
    "She put the ice into the box because it was warm outside, and then she went home.",
]


def needs_torch() -> None:
    """Skips where the libraries for local models are not installed."""
    missing = [name for name in ("torch", "transformers") if not importlib.util.find_spec(name)]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed (pip install 'compass-llm-eval[hf]')")


def make_tiny_llama(folder: Path, *, chat: bool = True, bos: bool = True, **config: Any) -> Path:
    """Writes the model; `bos`: whether its tokenizer puts `<s>` in front of text."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _tokenizer(chat=chat, bos=bos)
    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "max_position_embeddings": 512}
    shape = LlamaConfig(
        vocab_size=len(tokenizer), num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True,
        bos_token_id=1, eos_token_id=2, initializer_range=0.3, **{**sizes, **config},
    )  # fmt: skip
    LlamaForCausalLM(shape).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(*, chat: bool, bos: bool) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE(unk_token=None))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<unk>", "<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_SENTENCES, trainer)
    if bos:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 1)]
        )
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>")
    if chat:
        fast.chat_template = CHAT_TEMPLATE
    return fast
