"""The generated pages and the functions that write them."""

from collections.abc import Callable

from docs.generators.blocks import blocks_page
from docs.generators.classes import loaders_page, models_page, prompts_page, running_page, scoring_page
from docs.generators.configuration import configuration_page
from docs.generators.environment import environment_page
from docs.generators.names import names_page
from docs.generators.options import options_page, parameters_page
from docs.generators.picture import demo_picture

PAGES: dict[str, Callable[[], str]] = {
    "options.md": options_page,
    "parameters.md": parameters_page,
    "configuration.md": configuration_page,
    "models.md": models_page,
    "loaders.md": loaders_page,
    "prompts.md": prompts_page,
    "scoring.md": scoring_page,
    "running.md": running_page,
    "blocks.md": blocks_page,
    "names.md": names_page,
    "environment.md": environment_page,
    "../images/demo.svg": demo_picture,
}
"""File, relative to `docs/reference` → the function that returns its content."""
