"""From a filled template to the prompt in the form one model takes."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from tasks.prompts.dialogue import DialogueTemplate, TurnTemplate
from tasks.prompts.interface import Filled
from tasks.prompts.message_form import DIALOGUE_AS_IT_IS, check_api_roles, check_injected, message_prompt
from tasks.prompts.meta_template import MetaTemplate, parse_meta_template
from tasks.prompts.text_form import text_prompt
from tasks.spec.chat import Message, Prompt
from tasks.spec.findings import Finding, Place, UserError

_logger = logging.getLogger(__name__)

PromptForm = Literal["text", "messages"]
_PLACE = Place(key="meta_template")


@dataclass(frozen=True)
class Wording:
    """How one model wants its prompts."""

    form: PromptForm
    meta: MetaTemplate | None
    injected: tuple[Message, ...] = ()

    def prompt(self, filled: Filled, generating: bool) -> Prompt:
        """The prompt; when `generating`, it ends where the model is to speak."""
        if self.form == "text":
            return text_prompt(filled, self.meta, generating)
        return message_prompt(filled, self.meta or DIALOGUE_AS_IT_IS, generating, self.injected)

    def check(self, template: DialogueTemplate) -> None:
        """UserError for roles the model does not have; a warning for text that it will not be shown."""
        if self.form == "messages" and template.has_loose_text:
            _logger.warning("text without a role in a dialogue template is left out for chat models")
        meta = self.meta or (DIALOGUE_AS_IT_IS if self.form == "messages" else None)
        if meta is not None:
            for name, items in template.sections:
                meta.check([item.turn for item in items if isinstance(item, TurnTemplate)], name)


def parse_wording(form: PromptForm, meta_template: Any) -> Wording:
    """Checks a model's `meta_template`: None, a dict of roles, or for chat models a list of messages to inject."""
    if meta_template is None:
        return Wording(form, None)
    if isinstance(meta_template, Mapping):
        return Wording(form, _checked(parse_meta_template(cast(Mapping[str, Any], meta_template)), form))
    if isinstance(meta_template, Sequence) and not isinstance(meta_template, str) and form == "messages":
        return Wording(form, None, tuple(check_injected(cast(Sequence[Any], meta_template))))
    raise UserError(
        Finding(
            f"meta_template is a {type(meta_template).__name__}, which this model cannot use",
            _PLACE,
            "write dict(round=[dict(role='HUMAN', …), …])",
        )
    )


def _checked(meta: MetaTemplate, form: PromptForm) -> MetaTemplate:
    if form == "messages":
        check_api_roles(meta)
    elif not isinstance(meta.begin, str):
        raise UserError(Finding("begin is a dict", _PLACE, "write a string: this model reads text"))
    return meta
