"""The prompts of a planned pair, as the model would get them, without asking it."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from tasks.data.interface import LoadedDataset, PlannedRow
from tasks.data.rows import PlannedRows, plan_rows
from tasks.models.interface import PromptForm, Request, TokenCounter
from tasks.models.length_policy import FittedRequest, fit
from tasks.models.token_count import Estimate, token_counter
from tasks.plan.run_plan import PairPlan
from tasks.prompts.renderer import PromptRenderer, RenderedPrompt
from tasks.spec.chat import Prompt
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec, ModelSpec

_NAMES = ("path", "model_name", "model")
"""Arguments that name a model, and with it its tokenizer."""


class PairPrompts:
    """Renders the prompts of one model on one dataset; UserError for what cannot be rendered."""

    def __init__(
        self,
        model: ModelSpec,
        dataset: DatasetSpec,
        data: LoadedDataset,
        search_path: tuple[str, ...],
        form: PromptForm | None = None,
    ) -> None:
        """`form` stands in for what the model's class says."""
        prompt_form: PromptForm = form or import_type(model.type, search_path).prompt_form
        self.model = model
        self.dataset = dataset
        self.data = data
        self.inferencer = _inferencer(dataset, search_path)
        self.renderer = PromptRenderer(
            dataset, data, prompt_form=prompt_form, meta_template=model.meta_template, search_path=search_path
        )

    @classmethod
    def of(cls, pair: PairPlan, search_path: tuple[str, ...]) -> "PairPrompts | None":
        """Those of a planned pair; None where its data are missing."""
        return cls(pair.model, pair.dataset, pair.data, search_path) if pair.data is not None else None

    def rows(self, limit: int | None = None) -> PlannedRows:
        """The rows that are asked."""
        return plan_rows(self.dataset, self.data, limit)

    def prompts(self, row: PlannedRow) -> list[Prompt]:
        """What is asked first about a row: one prompt, or one per label."""
        return list(self.inferencer.first_prompts(self.renderer, row.row))

    def named_prompts(self, row: PlannedRow) -> dict[str, RenderedPrompt]:
        """What is asked first about a row, with the number of its examples: by label, or under an empty name."""
        if self.inferencer.scores and self.inferencer.way == "ppl":
            return self.renderer.label_prompts(row.row)
        first, *others = self.prompts(row)
        rendered = self.renderer.generation(row.row)
        named = {"": rendered._replace(prompt=first)}
        return named | {f"{number}": rendered._replace(prompt=prompt) for number, prompt in enumerate(others, 2)}

    def all(self, limit: int | None = None) -> Iterator[tuple[PlannedRow, list[Prompt]]]:
        """Every row with its prompts; repeats are rendered once."""
        rows = self.rows(limit)
        return ((row, self.prompts(row)) for row in rows[: len(rows) // self.dataset.n])

    def fitted(self, prompt: Prompt, count: TokenCounter | None = None) -> FittedRequest:
        """The prompt as it is sent: cut and with its output limit, by the rule of the request. TooLong if it cannot be.

        Local engines cut by their own tokenizer and template, so only their output limit is known here.
        """
        context = self.model.arguments.get("max_seq_len")
        own = self.dataset.inferencer.get("max_out_len")
        wanted = None if self.inferencer.scores else own or self.model.max_out_len
        mode = self.model.arguments.get("mode", "none") if self.model.is_api else "none"
        limit = context if isinstance(context, int) else None
        return fit(Request(0, prompt, max_out_len=wanted), count or self.count_tokens, limit, mode)

    @cached_property
    def count_tokens(self) -> TokenCounter:
        """The model's own tokenizer where it lies on this machine, else an estimate."""
        arguments = self.model.arguments
        name = next((str(arguments[key]) for key in _NAMES if arguments.get(key)), None)
        return token_counter(name, arguments.get("tokenizer_path")) if name else Estimate()


def abstract_prompts(dataset: DatasetSpec, data: LoadedDataset, search_path: tuple[str, ...]) -> PairPrompts:
    """The prompts of a dataset for no model in particular: chats stay chats."""
    nobody = ModelSpec(abbr="any model", type="", written_type="")
    return PairPrompts(nobody, dataset, data, search_path, form="messages")


def _inferencer(dataset: DatasetSpec, search_path: tuple[str, ...]) -> Any:
    factory: Any = import_type(dataset.inferencer["type"], search_path)
    try:
        return factory(**{name: value for name, value in dataset.inferencer.items() if name != "type"})
    except (TypeError, ValueError) as error:
        message = f"{factory.__name__} cannot be built: {error}"
        remedy = "see which values its arguments take"
        raise UserError(Finding(message, place_in(dataset, "infer_cfg.inferencer"), remedy)) from error
