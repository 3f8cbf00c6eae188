"""Examples under which a language model finds the question least surprising."""

import random
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

from tasks.prompts.embedding_retrievers import TopkRetriever
from tasks.prompts.row_texts import input_text, require, whole_text


class MDLRetriever(TopkRetriever):
    """The best of `select_time` random sets out of the nearest `candidate_num` rows.

    Best is where a model needs the fewest bits to write the question down (Wu et al. 2023, arXiv:2212.10375).
    Override `surprise` to judge by another model.
    """

    def __init__(  # noqa: PLR0913, PLR0917  the options of a configuration
        self,
        ice_separator: str = "\n",
        ice_eos_token: str = "\n",
        ice_num: int = 1,
        sentence_transformers_model_name: str = "all-mpnet-base-v2",
        tokenizer_name: str = "",
        batch_size: int = 32,
        candidate_num: int = 10,
        ce_model_name: str = "gpt2-xl",
        select_time: int = 5,
        seed: int = 1,
        ice_template: Any = None,
    ) -> None:
        """`ice_template` is accepted for compatibility: rows are read as their columns stand."""
        super().__init__(
            ice_separator, ice_eos_token, ice_num, sentence_transformers_model_name, tokenizer_name, batch_size
        )
        self.candidate_num = max(candidate_num, ice_num)
        self.ce_model_name = ce_model_name
        self.select_time = select_time
        self.seed = seed

    def examples_for(self, row_index: int) -> list[int]:
        nearest = self.nearest_rows(row_index, self.candidate_num)
        draw = random.Random(f"{self.seed}:{row_index}")
        sets = [nearest[: self.ice_num], *(draw.sample(nearest, self.ice_num) for _ in range(self.select_time - 1))]
        question = input_text(self._data.test[row_index], self._reader)
        return min(sets, key=lambda rows: self.surprise(self._context(rows), question))

    def surprise(self, context: str, question: str) -> float:
        """Negative log-likelihood of the question behind the context."""
        torch: Any = import_module("torch")
        tokenizer, model = self._judge
        given: Sequence[int] = tokenizer.encode(context)
        ids = torch.tensor([[*given, *tokenizer.encode(question, add_special_tokens=False)]])
        with torch.inference_mode():
            logprobs = torch.log_softmax(model(ids).logits[0, len(given) - 1 : -1].float(), -1)
        return -float(logprobs.gather(-1, ids[0, len(given) :, None]).sum())

    @cached_property
    def _judge(self) -> tuple[Any, Any]:
        require(("torch", "transformers"), "hf", "MDLRetriever")
        transformers: Any = import_module("transformers")
        model = transformers.AutoModelForCausalLM.from_pretrained(self.ce_model_name).eval()
        return transformers.AutoTokenizer.from_pretrained(self.ce_model_name), model

    def _context(self, rows: Sequence[int]) -> str:
        texts = [whole_text(self._data.train[row], self._reader) for row in rows]
        return self.ice_separator.join(texts) + self.ice_eos_token
