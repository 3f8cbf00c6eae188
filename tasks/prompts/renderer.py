"""Renders the prompts of one dataset for one model."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from tasks.prompts.dialogue import DialogueTemplate
from tasks.prompts.factory import build_recipe
from tasks.prompts.interface import Row, Splits
from tasks.prompts.model_prompt import PromptForm, Wording, parse_wording
from tasks.prompts.templates import Examples, PromptTemplate, Template
from tasks.spec.chat import Message, Prompt
from tasks.spec.finding_places import findings_at, place_in
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.specs import DatasetSpec, ReaderSpec
from tasks.spec.storage.jsonable import jsonable


class RenderedPrompt(NamedTuple):
    """A prompt and how many in-context examples it holds."""

    prompt: Prompt
    examples: int
    dropped_examples: int
    """Examples left out at the end because the prompt did not fit."""


class PromptRenderer:
    """Renders prompts; built once per dataset and model, usable from any thread."""

    def __init__(
        self,
        dataset: DatasetSpec,
        data: Splits,
        *,
        prompt_form: PromptForm,
        meta_template: Any = None,
        search_path: Sequence[str] = (),
        max_prompt_tokens: int | None = None,
        count_tokens: Callable[[Prompt], int] | None = None,
    ) -> None:
        """Examples are dropped while a prompt has more than `max_prompt_tokens`.

        Raises UserError, with the dataset's place, for templates that contradict each other or the model.
        """
        recipe = build_recipe(dataset, data, search_path)
        self._spec = dataset
        self._data = data
        self._template = recipe.prompt
        self._example_template = recipe.example
        self._retriever = recipe.retriever
        self._wording = parse_wording(prompt_form, meta_template)
        self.max_prompt_tokens = max_prompt_tokens
        self.count_tokens = count_tokens
        self._examples = lru_cache(maxsize=256)(self._join_examples)
        self._place = place_in(dataset, "infer_cfg")
        with findings_at(self._place):
            _check_roles(self._wording, [recipe.prompt, recipe.example])
            if recipe.shows_examples:
                _check_text_examples(self._wording, recipe.prompt, recipe.example)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What a ppl sample chooses from, as text: the inferencer's, the templates' or the distinct references."""
        wanted = self._spec.inferencer.get("labels")
        of_template = self._template.labels or (self._example_template.labels if self._example_template else ())
        labels = tuple(map(str, wanted)) if wanted is not None else of_template or self._references()
        unknown = [label for label in labels if self._template.labels and label not in self._template.labels]
        if unknown:
            names = ", ".join(map(repr, self._template.labels))
            raise UserError(
                Finding(f"the template has no label {unknown[0]!r}", self._place, f"its labels are {names}")
            )
        return labels

    @property
    def place(self) -> Place:
        """Where the configuration says how the dataset is asked."""
        return self._place

    @property
    def reader(self) -> ReaderSpec:
        """Which columns of the rows are used for what."""
        return self._spec.reader

    def row(self, row_index: int) -> Row:
        """The columns of a row of the whole test split."""
        return self._data.test[row_index]

    def complete(self, row_index: int) -> RenderedPrompt:
        """The whole text of a row with nothing masked, as if the model had answered."""
        return self._fitting(row_index, [(None, {})], generating=False)[0]

    def raw_messages(self, row_index: int) -> list[Message] | None:
        """The messages of a raw template, not yet in the model's words; None for templates of other kinds."""
        with findings_at(self._place):
            chosen = self._chosen(row_index)
            filled = self._template.fill(self._data.test[row_index], self._mask, self._examples(chosen))
        return filled if isinstance(filled, list) else None

    def worded(self, messages: Sequence[Message]) -> Prompt:
        """Raw messages as a prompt of the model, which is to answer them."""
        with findings_at(self._place):
            return self._wording.prompt(list(messages), generating=True)

    def generation(self, row_index: int) -> RenderedPrompt:
        """The prompt that asks for the answer to a row of the whole test split; the answer itself is masked."""
        return self._fitting(row_index, [(None, self._mask)], generating=True)[0]

    def label_prompts(self, row_index: int, most_examples: int | None = None) -> dict[str, RenderedPrompt]:
        """One complete text per label, answer included, all with the same examples, `most_examples` at most.

        A template without labels gets each label in place of the output column.
        """
        column = self._spec.reader.output_column
        by_label = bool(self._template.labels) or column is None
        variants = [(label, {} if by_label else {str(column): label}) for label in self.labels]
        prompts = self._fitting(row_index, variants, generating=False, most_examples=most_examples)
        return dict(zip(self.labels, prompts, strict=True))

    @cached_property
    def _mask(self) -> dict[str, str]:
        column = self._spec.reader.output_column
        if column is None or not self._template.hides_answer:
            return {}
        return {column: str(self._spec.inferencer.get("gen_field_replace_token", ""))}

    def _fitting(
        self,
        row_index: int,
        variants: Sequence[tuple[str | None, Mapping[str, str]]],
        generating: bool,
        most_examples: int | None = None,
    ) -> list[RenderedPrompt]:
        with findings_at(self._place):
            row = self._data.test[row_index]
            chosen = self._chosen(row_index)[:most_examples]
            for shown in range(len(chosen), -1, -1):
                examples = self._examples(chosen[:shown])
                prompts = [
                    self._wording.prompt(self._template.fill(row, instead, examples, label), generating)
                    for label, instead in variants
                ]
                if not shown or all(self._fits(prompt) for prompt in prompts):
                    return [RenderedPrompt(prompt, shown, len(chosen) - shown) for prompt in prompts]
        raise AssertionError("the loop returns when no example is left")

    def _chosen(self, row_index: int) -> tuple[int, ...]:
        """The examples that the retriever chooses, without the row itself: it would show its own answer."""
        chosen = tuple(self._retriever.examples_for(row_index))
        if not chosen:
            return chosen
        asked = self._content(self._data.test[row_index])
        return tuple(index for index in chosen if self._content(self._data.train[index]) != asked)

    def _content(self, row: Row) -> list[Any]:
        reader = self._spec.reader
        return [jsonable(row.get(name)) for name in (*reader.input_columns, reader.output_column) if name]

    def _fits(self, prompt: Prompt) -> bool:
        if self.max_prompt_tokens is None or self.count_tokens is None:
            return True
        return self.count_tokens(prompt) <= self.max_prompt_tokens

    def _join_examples(self, indices: tuple[int, ...]) -> Examples:
        template = self._example_template
        if template is None or template.kind == "text":
            texts = [str(self._example(template, index)) for index in indices] if template else []
            return self._retriever.ice_separator.join(texts) + self._retriever.ice_eos_token
        examples = [self._example(template, index) for index in indices]
        if template.kind == "dialogue":
            return examples
        return [message for messages in examples for message in messages]

    def _example(self, template: Template, index: int) -> Any:
        row: Row = self._data.train[index]
        column = self._spec.reader.output_column
        return template.example(row, str(row.get(column)) if column else None)

    def _references(self) -> tuple[str, ...]:
        column = self._spec.reader.output_column
        if column is None:
            raise UserError(
                Finding(
                    "there are no labels to choose from",
                    self._place,
                    "write the template as a dict by label, or set reader_cfg.output_column",
                )
            )
        return tuple(dict.fromkeys(str(row[column]) for row in self._data.test))


def _check_roles(wording: Wording, templates: Sequence[Template | None]) -> None:
    for template in templates:
        for part in template.parts if isinstance(template, PromptTemplate) else []:
            if isinstance(part, DialogueTemplate):
                wording.check(part)


def _check_text_examples(wording: Wording, prompt: Template, example: Template | None) -> None:
    """Chat models are shown what roles say: text examples that stand outside of a turn would be lost."""
    if (
        wording.form != "messages"
        or not isinstance(prompt, PromptTemplate)
        or example is None
        or example.kind != "text"
    ):
        return
    if any(isinstance(part, DialogueTemplate) and not part.takes_text_in_turns for part in prompt.parts):
        raise UserError(
            Finding(
                "the examples are texts outside of any turn, which a chat model is not shown",
                remedy="write ice_template as a dialogue dict(round=[…]), or put the ice_token into a turn's prompt",
            )
        )
