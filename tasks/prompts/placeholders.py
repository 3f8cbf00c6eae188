"""Text with place-holders, split up once and filled many times."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks.prompts.interface import Row

EXAMPLES = "{examples}"
"""Name under which `TextTemplate.fill` takes the text of the in-context examples; no column can have it."""

_PLACE_HOLDER = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """Literal text with `{column}` place-holders between its pieces."""

    head: str
    holes: tuple[tuple[str, str], ...]
    """Name of a place-holder and the literal text after it."""

    @classmethod
    def parse(cls, text: str, ice_token: str | None = None, sep_token: str | None = None) -> "TextTemplate":
        """`ice_token` marks where in-context examples go; `sep_token` is removed."""
        pieces: list[str] = []
        for part in text.split(ice_token) if ice_token else [text]:
            if pieces:
                pieces.append(EXAMPLES)
            pieces += _PLACE_HOLDER.split(part.replace(sep_token, "") if sep_token else part)
        return cls(pieces[0], tuple(zip(pieces[1::2], pieces[2::2], strict=True)))

    @property
    def takes_examples(self) -> bool:
        return any(name == EXAMPLES for name, _ in self.holes)

    @property
    def is_examples_alone(self) -> bool:
        """Whether nothing but the examples stands here."""
        return not self.head and self.holes == ((EXAMPLES, ""),)

    def fill(self, row: Row, instead: Mapping[str, str]) -> str:
        """The text with each place-holder replaced once: by `instead` if it names it, else by the row's column.

        Names that neither knows stay as they are written, braces included; so do braces in the values.
        """
        out = [self.head]
        for name, literal in self.holes:
            if name in instead:
                out.append(instead[name])
            elif name in row:
                out.append(str(row[name]))
            else:
                out.append(f"{{{name}}}")
            out.append(literal)
        return "".join(out)
