"""The page on which every name that a configuration can use is found, whatever it is."""

from docs.generators.markdown import anchor, page
from tasks.spec.names.type_table import TABLE, Kind, TypeEntry

_PAGES: dict[Kind, str] = {
    "model": "models.md",
    "template": "prompts.md",
    "retriever": "prompts.md",
    "inferencer": "prompts.md",
    "partitioner": "running.md",
    "runner": "running.md",
    "task": "running.md",
    "summarizer": "running.md",
    "evaluator": "scoring.md#evaluators",
    "postprocessor": "scoring.md#post-processors",
    "dataset": "loaders.md#loaders",
}
"""Where a kind stands; without a heading, each thing has one of its own."""


def names_page() -> str:
    """All names by their first letters."""
    links = {entry.name: f"[{entry.name}]({_place(entry)})" for entry in TABLE}
    letters: dict[str, list[str]] = {}
    for name in sorted(links, key=str.lower):
        letters.setdefault(name[0].upper(), []).append(links[name])
    how = "Every class and function that a configuration can name, with links to its arguments."
    return page("Index of names", how, *(f"**{letter}** {' · '.join(found)}" for letter, found in letters.items()))


def _place(entry: TypeEntry) -> str:
    where = _PAGES[entry.kind]
    return where if "#" in where else f"{where}#{anchor(entry.name)}"
