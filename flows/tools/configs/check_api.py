"""`compass check-api`: asks each API model of a configuration a few small things, to see that it is wired up well."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from rich.markup import escape

from flows.output.console import out, say
from flows.tools.configs.source_choice import add_source_arguments, read_source
from tasks.models.factory import ModelPool
from tasks.models.interface import Completion, Request
from tasks.spec.build import build_models
from tasks.spec.chat import Message
from tasks.spec.findings import FindingKind, UserError
from tasks.spec.specs import ModelSpec
from tasks.spec.status import Status

_MAX_OUT_LEN = 100


@dataclass(frozen=True)
class _Check:
    """One question and what it shows."""

    what: str
    messages: tuple[Message, ...]


_CHECKS = (
    _Check("a user message", ({"role": "user", "content": "Reply with the word yes."},)),
    _Check(
        "a system message",
        (
            {"role": "system", "content": "Whatever you are asked, reply in capital letters."},
            {"role": "user", "content": "What is the opposite of cold?"},
        ),
    ),
    _Check(
        "a conversation",
        (
            {"role": "user", "content": "My favourite number is 17."},
            {"role": "assistant", "content": "I shall remember that."},
            {"role": "user", "content": "Which number is my favourite?"},
        ),
    ),
)


def main(argv: Sequence[str]) -> int:
    """Shows each answer; 1 if any could not be had."""
    parser = argparse.ArgumentParser(
        prog="compass check-api", description="Asks every API model three small questions and shows its answers."
    )
    add_source_arguments(parser)
    parser.add_argument("-n", "--non-interactive", action="store_true", help="accepted: nothing is ever asked here")
    source = read_source(parser.parse_args(argv))
    models, findings = build_models(source.values, source.search_path)
    obstacles = [finding for finding in findings if finding.kind is not FindingKind.WARNING]
    if obstacles:
        raise UserError(obstacles)
    api = [model for model in models if model.is_api]
    if not api:
        raise UserError("none of these models is asked over a network")
    failed = asyncio.run(_check_all(api, source.search_path))
    say(f"{len(api) - failed} of {len(api)} models answered everything")
    return 1 if failed else 0


async def _check_all(models: Sequence[ModelSpec], search_path: tuple[str, ...]) -> int:
    pool = ModelPool(search_path)
    try:
        return sum([not await _check(pool, model) for model in models])
    finally:
        await pool.close()


async def _check(pool: ModelPool, model: ModelSpec) -> bool:
    out.rule(escape(model.abbr))
    answers: dict[int, Completion] = {}
    async for index, answer in pool.backend(model).generate(_requests(), asyncio.Semaphore(1)):
        answers[index] = answer
        _show(_CHECKS[index], answer)
    return all(answer.status is not Status.ERROR for answer in answers.values()) and len(answers) == len(_CHECKS)


async def _requests() -> AsyncIterator[Request]:
    for index, check in enumerate(_CHECKS):
        yield Request(index, list(check.messages), max_out_len=_MAX_OUT_LEN)


def _show(check: _Check, answer: Completion) -> None:
    out.print(f"[bold]{check.what}:[/] {escape(str(check.messages[-1]['content']))}")
    out.print(f"  {answer.status}, {answer.latency:.2f} s, finish reason {answer.finish_reason}")
    out.print(f"  {escape(answer.error or answer.texts[0])}")
