"""The inferencers a configuration can name."""

from collections.abc import Sequence
from typing import Any

from tasks.infer.inferencer import Ask, Dialogue, Inferencer, Limits, outcome_fields
from tasks.infer.records import RequestRecord
from tasks.models.interface import Completion, Request
from tasks.prompts.renderer import PromptRenderer


class GenInferencer(Inferencer):
    """Generates text: one request per row, several answers each where the model is told so."""

    way = "gen"

    def __init__(
        self,
        max_out_len: int | None = None,
        min_out_len: int | None = None,
        stopping_criteria: Sequence[str] = (),
        gen_field_replace_token: str = "",
        num_return_sequences: int = 1,
        batch_size: int | None = None,
        save_every: int = 1,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            max_out_len: Output limit in tokens; the model's own where None.
            stopping_criteria: The answer ends before the first of these strings.
            gen_field_replace_token: What stands in the prompt for the column that holds the answer.
            num_return_sequences: Answers sampled per prompt.
            batch_size: Requests in flight per running task; the model's own where None.
            save_every: Accepted for compatibility: every answer is saved when it arrives.
        """
        self.max_out_len = max_out_len
        self.min_out_len = min_out_len
        self.stop = tuple(stopping_criteria)
        self.gen_field_replace_token = gen_field_replace_token
        self.sequences = num_return_sequences
        self.batch_size = batch_size
        self.save_every = save_every

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        request = Request(
            index=row,
            prompt=renderer.generation(row).prompt,
            max_out_len=self.max_out_len or limits.max_out_len,
            min_out_len=self.min_out_len or limits.min_out_len,
            stop=self.stop,
            sequences=self.sequences,
        )
        yield [Ask(request)]

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        record = records[0]
        assert isinstance(record.result, Completion)
        texts = record.result.texts
        sample: dict[str, Any] = {
            "origin_prompt": record.prompt,
            "prediction": texts[0] if self.sequences == 1 else list(texts),
        }
        if gold is not None:
            sample["gold"] = gold
        return sample | outcome_fields(records)
