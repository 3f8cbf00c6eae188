"""The prompt templates that a dataset's `infer_cfg` can name."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from tasks.prompts.dialogue import SECTIONS, DialogueTemplate, parse_dialogue
from tasks.prompts.interface import Dialogue, Filled, Row, Section, TemplateKind
from tasks.prompts.placeholders import EXAMPLES, TextTemplate
from tasks.prompts.raw_messages import RawMessages
from tasks.spec.chat import Message
from tasks.spec.findings import Finding, UserError, nearest

Examples = str | Sequence[Section] | Sequence[Message]
"""In-context examples, joined: text, sections of a dialogue, or messages."""


class Template(Protocol):
    """What `infer_cfg.prompt_template` and `infer_cfg.ice_template` build."""

    @property
    def kind(self) -> TemplateKind: ...
    @property
    def labels(self) -> tuple[str, ...]:
        """The labels it has a text for each, as text; none if it is one template for all."""
        ...

    @property
    def ice_token(self) -> str | None: ...
    @property
    def hides_answer(self) -> bool:
        """Whether the output column is masked when text is generated."""
        ...

    def takes(self, examples: TemplateKind) -> bool:
        """Whether it has a place for examples of that kind."""
        ...

    def fill(self, row: Row, instead: Mapping[str, str], examples: Examples = (), label: str | None = None) -> Filled:
        """The prompt for `row`; without a `label`, the first label's."""
        ...

    def example(self, row: Row, label: str | None = None) -> str | Section | list[Message]:
        """`row` as an in-context example."""
        ...


class PromptTemplate:
    """A text, a dialogue `{begin, round, end}`, or a dict of these by label."""

    hides_answer = True

    def __init__(
        self, template: str | Mapping[Any, Any], ice_token: str | None = None, sep_token: str | None = None
    ) -> None:
        """`ice_token` marks the place of in-context examples, `sep_token` is removed from texts.

        Raises UserError for a template of no known form, and where a text lacks `ice_token`.
        """
        _check_token("ice_token", ice_token)
        _check_token("sep_token", sep_token)
        self.ice_token = ice_token or None
        self._sep_token = sep_token or None
        self._by_label: dict[str, TextTemplate | DialogueTemplate] = {}
        if isinstance(template, Mapping) and not set(template) <= set(SECTIONS):
            self._by_label = {str(label): self._parse(part, f"label {label!r}") for label, part in template.items()}
            self._first = next(iter(self._by_label.values()))
        else:
            self._first = self._parse(template, "template")
        self.labels = tuple(self._by_label)
        self.kind: TemplateKind = self._kind()

    @property
    def parts(self) -> list[TextTemplate | DialogueTemplate]:
        """One per label, or the only one."""
        return list(self._by_label.values()) or [self._first]

    def takes(self, examples: TemplateKind) -> bool:
        return all(_takes(part, examples) for part in self.parts)

    def fill(
        self, row: Row, instead: Mapping[str, str], examples: Examples = (), label: str | None = None
    ) -> str | Dialogue:
        part = self._first if label is None or not self._by_label else self._by_label[label]
        text = examples if isinstance(examples, str) else ""
        instead = {**instead, EXAMPLES: text} if self.ice_token else instead
        if isinstance(part, TextTemplate):
            return part.fill(row, instead)
        return part.fill(row, instead, () if isinstance(examples, str) else cast(Sequence[Section], examples))

    def example(self, row: Row, label: str | None = None) -> str | Section:
        part = self._by_label.get(str(label)) if self._by_label else self._first
        if part is None:
            remedy = nearest(str(label), self._by_label)
            raise UserError(Finding(f"the template has no label {label!r}, which an example row has", remedy=remedy))
        instead = {EXAMPLES: ""}
        return part.fill(row, instead) if isinstance(part, TextTemplate) else part.example(row, instead)

    def _parse(self, part: Any, what: str) -> TextTemplate | DialogueTemplate:
        if isinstance(part, str):
            if self.ice_token and self.ice_token not in part:
                raise UserError(
                    Finding(
                        f"{what} does not contain the ice_token {self.ice_token!r}",
                        remedy="put it where the examples go, or leave ice_token out",
                    )
                )
            return TextTemplate.parse(part, self.ice_token, self._sep_token)
        if isinstance(part, Mapping) and part and set(cast(Mapping[Any, Any], part)) <= set(SECTIONS):
            return parse_dialogue(cast(Mapping[str, Any], part), self.ice_token, self._sep_token)
        meant = nearest(what.removeprefix("label ").strip("'"), SECTIONS, 1) if what.startswith("label ") else ""
        raise UserError(
            Finding(
                f"{what} is a {type(part).__name__} of no known form",
                remedy=f"write a string or dict(begin=…, round=…, end=…); {meant}".rstrip("; "),
            )
        )

    def _kind(self) -> TemplateKind:
        kinds = {type(part) for part in self.parts}
        if len(kinds) > 1:
            raise UserError(
                Finding("some labels are texts, others are dialogues", remedy="write all labels in the same form")
            )
        return "text" if kinds == {TextTemplate} else "dialogue"


class RawPromptTemplate:
    """Messages that reach the model unchanged, but for the columns filled in."""

    kind: TemplateKind = "messages"
    hides_answer = False
    labels: tuple[str, ...] = ()

    def __init__(self, messages: Sequence[Any], format_variables: bool = True, ice_token: str = "</E>") -> None:
        """Items of `messages`: `{role, content}`, `{expand_column: column}`, or the string `ice_token`.

        Only content that is a string is filled, and only with `format_variables`. UserError for other items.
        """
        _check_token("ice_token", ice_token)
        self.ice_token: str | None = ice_token
        self._messages = RawMessages.parse(messages, format_variables, ice_token)

    def takes(self, examples: TemplateKind) -> bool:
        return examples == "messages" and self._messages.takes_examples

    def fill(
        self, row: Row, instead: Mapping[str, str], examples: Examples = (), label: str | None = None
    ) -> list[Message]:
        return self._messages.fill(row, instead, () if isinstance(examples, str) else cast(Sequence[Message], examples))

    def example(self, row: Row, label: str | None = None) -> list[Message]:
        return self._messages.fill(row, {}, ())


def _check_token(name: str, token: Any) -> None:
    if token is not None and not isinstance(token, str):
        raise UserError(Finding(f"{name} is {token!r}", remedy=f"write a string, such as {name}='</E>'"))


def _takes(part: TextTemplate | DialogueTemplate, examples: TemplateKind) -> bool:
    if examples == "text":
        return part.takes_examples
    return examples == "dialogue" and isinstance(part, DialogueTemplate) and part.takes_dialogue_examples
