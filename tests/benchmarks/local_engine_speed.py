"""How fast models of transformers are asked, beside the plain way.

usage: python tests/benchmarks/local_engine_speed.py

Both ways run in this process on the same model, one after the other, on one thread; ratios of CPU time count.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.tiny_llama import make_tiny_llama  # noqa: E402

from tasks.models.interface import Request, ScoreRequest  # noqa: E402

SIZES: dict[str, Any] = {
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 6,
    "max_position_embeddings": 2048,
}
"""16 million weights: enough that reading them is what a small batch costs."""
PROMPTS, NEW_TOKENS, QUESTIONS = 256, 16, 8
WORDS = [
    "she", "put", "the", "ice", "into", "box", "because", "it",
    "was", "warm", "outside", "and", "then", "went", "home", "to", "Paris", "or", "Rome",
]  # fmt: skip


def main() -> None:
    """Prints both ratios and how much time is spent beside the model."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = make_tiny_llama(Path(folder), **SIZES)
        tokenizer = AutoTokenizer.from_pretrained(path, padding_side="left")
        tokenizer.pad_token = tokenizer.eos_token
        model = AutoModelForCausalLM.from_pretrained(path).eval()
        generation(path, model, tokenizer)
        scoring(path, model, tokenizer)


def generation(path: Path, model: Any, tokenizer: Any) -> None:
    """256 prompts of 5 to 120 words, up to 16 tokens each."""
    import torch

    draw = random.Random(0)
    prompts = [" ".join(draw.choices(WORDS, k=draw.randint(5, 120))) for _ in range(PROMPTS)]

    def plain() -> None:
        for start in range(0, PROMPTS, 8):
            batch = tokenizer(prompts[start : start + 8], return_tensors="pt", padding=True)
            with torch.inference_mode():
                out = model.generate(
                    **batch, max_new_tokens=NEW_TOKENS, do_sample=False, pad_token_id=tokenizer.pad_token_id
                )
            tokenizer.batch_decode(out[:, batch["input_ids"].shape[1] :], skip_special_tokens=True)

    report("generation", plain, path, [Request(n, prompt, NEW_TOKENS) for n, prompt in enumerate(prompts)])


def scoring(path: Path, model: Any, tokenizer: Any) -> None:
    """Contexts of 300 to 500 tokens with four options of 5 to 20."""
    import torch

    draw = random.Random(1)
    questions = [
        (
            _of_length(tokenizer, draw, draw.randint(300, 500)),
            [" " + _of_length(tokenizer, draw, draw.randint(5, 20)) for _ in range(4)],
        )
        for _ in range(QUESTIONS)
    ]

    def plain() -> None:
        for context, options in questions:
            batch = tokenizer([context + option for option in options], return_tensors="pt", padding=True)
            with torch.inference_mode():
                logits = model(**batch).logits[:, :-1].float()
            labels = batch["input_ids"][:, 1:]
            torch.log_softmax(logits, -1).gather(-1, labels[..., None])

    jobs = [
        ScoreRequest(4 * n + at, context, option)
        for n, (context, options) in enumerate(questions)
        for at, option in enumerate(options)
    ]
    report("scoring", plain, path, jobs)


def report(what: str, plain: Callable[[], None], path: Path, jobs: list[Any]) -> None:
    """Times both ways, and how much of ours is spent outside of the model."""
    from tasks.models.engines.hf_engine import HFEngine
    from tasks.models.engines.hf_loading import HFOptions

    engine = HFEngine(HFOptions(path=str(path), chat=False))
    inside = Clock()
    model, entry = engine._generator._model, "generate" if what == "generation" else "forward"
    setattr(model, entry, inside.around(getattr(model, entry)))
    start = time.process_time()
    plain()
    before = time.process_time() - start
    start = time.process_time()
    done = dict(engine.add(jobs))
    while engine.is_busy:
        done |= dict(engine.step())
    ours = time.process_time() - start
    assert len(done) == len(jobs)
    beside = 100 * (1 - inside.seconds / ours)
    line = f"{what}: plain {before:.1f} s, ours {ours:.1f} s, {before / ours:.2f} x; {beside:.1f} % beside the model"
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Clock:
    """Adds up the time within functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            start = time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.seconds += time.process_time() - start

        return timed


def _of_length(tokenizer: Any, draw: random.Random, tokens: int) -> str:
    ids = tokenizer(" ".join(draw.choices(WORDS, k=2 * tokens)), add_special_tokens=False)["input_ids"]
    return tokenizer.decode(ids[:tokens])


if __name__ == "__main__":
    main()
