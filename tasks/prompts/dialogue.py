"""Dialogue templates: a `begin`, a `round` and an `end` of turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tasks.prompts.interface import Dialogue, Row, Section, SectionName, Turn
from tasks.prompts.placeholders import TextTemplate
from tasks.spec.findings import Finding, UserError, nearest

SECTIONS: tuple[SectionName, ...] = ("begin", "round", "end")
_TURN_KEYS = ("role", "prompt", "begin", "end", "fallback_role")


@dataclass(frozen=True, slots=True)
class TurnTemplate:
    """A turn whose prompt has place-holders."""

    turn: Turn
    prompt: TextTemplate | None

    def fill(self, row: Row, instead: Mapping[str, str]) -> Turn:
        if self.prompt is None:
            return self.turn
        turn = self.turn
        return Turn(turn.role, self.prompt.fill(row, instead), turn.begin, turn.end, turn.fallback_role)


Item = TurnTemplate | TextTemplate


@dataclass(frozen=True, slots=True)
class DialogueTemplate:
    """A parsed dialogue template."""

    sections: tuple[tuple[SectionName, tuple[Item, ...]], ...]

    @property
    def items(self) -> list[Item]:
        return [item for _, items in self.sections for item in items]

    @property
    def takes_examples(self) -> bool:
        """Whether the place of the in-context examples is marked."""
        return any(_text_of(item).takes_examples for item in self.items)

    @property
    def takes_dialogue_examples(self) -> bool:
        """Whether that place stands alone, so that examples may be turns."""
        return any(isinstance(item, TextTemplate) and item.is_examples_alone for item in self.items)

    @property
    def takes_text_in_turns(self) -> bool:
        """Whether that place is within a turn, so that examples may be text."""
        return any(isinstance(item, TurnTemplate) and _text_of(item).takes_examples for item in self.items)

    @property
    def has_loose_text(self) -> bool:
        """Whether it has text, beside the place of the examples, that no role says."""
        return any(
            isinstance(item, TextTemplate) and (item.head or item.holes) and not item.is_examples_alone
            for item in self.items
        )

    def fill(self, row: Row, instead: Mapping[str, str], examples: Sequence[Section] = ()) -> Dialogue:
        """The dialogue for `row`, with `examples` where their place stands alone."""
        sections: list[Section] = []
        for name, items in self.sections:
            before = 0
            for index, item in enumerate(items):
                if examples and isinstance(item, TextTemplate) and item.is_examples_alone:
                    sections += [_filled(name, items[before:index], row, instead), *examples]
                    before = index + 1
            sections.append(_filled(name, items[before:], row, instead))
        return Dialogue(tuple(sections))

    def example(self, row: Row, instead: Mapping[str, str]) -> Section:
        """The round alone, as in-context example."""
        rounds = next((items for name, items in self.sections if name == "round"), ())
        return _filled("ice", rounds, row, instead)


def parse_dialogue(template: Mapping[str, Any], ice_token: str | None, sep_token: str | None) -> DialogueTemplate:
    """Checks and parses `{begin, round, end}`; UserError says what is wrong."""
    return DialogueTemplate(
        tuple((name, _items(name, template[name], ice_token, sep_token)) for name in SECTIONS if name in template)
    )


def _filled(name: SectionName, items: Sequence[Item], row: Row, instead: Mapping[str, str]) -> Section:
    return Section(name, tuple(item.fill(row, instead) for item in items))


def _text_of(item: Item) -> TextTemplate:
    if isinstance(item, TextTemplate):
        return item
    return item.prompt or TextTemplate("", ())


def _items(name: SectionName, value: Any, ice_token: str | None, sep_token: str | None) -> tuple[Item, ...]:
    if isinstance(value, str) and name != "round":
        value = [value]
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise UserError(
            Finding(f"{name!r} holds a {type(value).__name__}", remedy="write a list of dict(role=…, prompt=…)")
        )
    return tuple(_item(name, entry, ice_token, sep_token) for entry in cast(Sequence[Any], value))


def _item(name: SectionName, entry: Any, ice_token: str | None, sep_token: str | None) -> Item:
    if isinstance(entry, str) and name != "round":
        return TextTemplate.parse(entry, ice_token, sep_token)
    if not isinstance(entry, Mapping):
        remedy = "write dict(role=…, prompt=…)" + ("; examples go into 'begin'" if entry == ice_token else "")
        raise UserError(Finding(f"{name!r} holds {entry!r}", remedy=remedy))
    return _turn(name, cast(Mapping[str, Any], entry), ice_token, sep_token)


def _turn(name: SectionName, entry: Mapping[str, Any], ice_token: str | None, sep_token: str | None) -> TurnTemplate:
    for key, value in entry.items():
        if key not in _TURN_KEYS:
            raise UserError(Finding(f"a turn in {name!r} has no key {key!r}", remedy=nearest(key, _TURN_KEYS)))
        if not isinstance(value, str):
            raise UserError(Finding(f"{key!r} of a turn in {name!r} is {value!r}", remedy="write a string"))
    if "role" not in entry:
        raise UserError(Finding(f"a turn in {name!r} has no role", remedy="write dict(role='HUMAN', prompt=…)"))
    prompt = entry.get("prompt")
    return TurnTemplate(Turn(**entry), None if prompt is None else TextTemplate.parse(prompt, ice_token, sep_token))
