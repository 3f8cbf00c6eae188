"""What the table of names says of one class or function."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "model", "dataset", "template", "retriever", "inferencer", "evaluator", "postprocessor", "partitioner", "runner",
    "task", "summarizer",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class TypeEntry:
    """One class or function under all its names."""

    kind: Kind
    ours: str
    """Dotted path to import."""
    package: str
    """Package of OpenCompass that its configurations import the name from; the prompt hash is made of that path."""
    module: str = ""
    """Module of that package that defines the name, where configurations may import it from there."""
    registered: str = ""
    """Short name besides the class's own."""
    key_variable: str = ""
    """Environment variable that `key='ENV'` means; of several, separated by blanks, the first that is set."""
    url_variable: str = ""
    """Environment variable with the address used where the configuration gives none."""
    loads_weights: bool = False
    """Whether the process that runs the shard holds the model, rather than asking for it over a network."""

    @property
    def name(self) -> str:
        return self.ours.rpartition(".")[2]

    @property
    def opencompass(self) -> str:
        """Dotted path as OpenCompass's own configurations have it."""
        return f"opencompass.{self.package}.{self.name}"
