"""`compass prompt`: the exact prompts that models would get, without asking them."""

import argparse
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from statistics import mean
from typing import Any, NamedTuple

from rich.markup import escape
from tabulate import tabulate

from flows.output.console import out, show_findings
from flows.tools.configs.source_choice import add_source_arguments, read_source
from tasks.data.loading import DatasetCache
from tasks.models.length_policy import FittedRequest, TooLong, reserved_tokens
from tasks.plan.rendering import PairPrompts, abstract_prompts
from tasks.spec.build import build_datasets, build_models
from tasks.spec.chat import Prompt, to_wire_messages
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.specs import DatasetSpec, ModelSpec

_QUANTILES = (0.5, 0.9, 0.99)


class LengthStats(NamedTuple):
    """Token counts of the prompts of a pair."""

    model: str
    dataset: str
    prompts: int
    least: int
    mean: float
    quantiles: tuple[int, ...]
    """At the shares of `_QUANTILES`."""
    most: int
    too_long: int | None
    """Prompts that leave no room for an answer; None where the context is not known."""
    counted_by: str


def main(argv: Sequence[str]) -> int:
    """Shows prompts with their token counts, or with --stats how long all of them are."""
    parser = argparse.ArgumentParser(prog="compass prompt", description="The exact prompts that models would get.")
    add_source_arguments(parser)
    parser.add_argument("-a", "--all", action="store_true", help="every model with every dataset (default: the first)")
    parser.add_argument("-n", "--non-interactive", action="store_true", help="accepted: nothing is ever asked here")
    parser.add_argument("-p", "--pattern", metavar="PATTERN", help="datasets whose abbr matches")
    parser.add_argument("-m", "--model", metavar="PATTERN", help="models whose abbr matches")
    parser.add_argument("-c", "--count", type=int, default=1, metavar="N", help="rows shown per pair (%(default)s)")
    parser.add_argument("--stats", action="store_true", help="how long the prompts of all rows are, in tokens")
    arguments = parser.parse_args(argv)
    pairs = list(_chosen(arguments))
    if arguments.stats:
        _show_stats([stats_of(pair) for pair in pairs])
    else:
        for pair in pairs:
            _show(pair, arguments.count)
    return 0


def stats_of(pair: PairPrompts) -> LengthStats:
    """Counts the tokens of every row's prompts; of the labels of a row, the longest counts."""
    count = pair.count_tokens
    lengths = sorted(max(count(prompt) for prompt in prompts) for _, prompts in pair.all())
    quantiles = tuple(lengths[min(len(lengths) - 1, int(share * len(lengths)))] for share in _QUANTILES)
    too_long = None
    if isinstance(pair.model.arguments.get("max_seq_len"), int):
        too_long = sum(any(_fitted(pair, prompt) is None for prompt in prompts) for _, prompts in pair.all())
    return LengthStats(
        pair.model.abbr, pair.dataset.abbr, len(lengths), lengths[0], mean(lengths), quantiles, lengths[-1], too_long,
        count.name,
    )  # fmt: skip


def _chosen(arguments: argparse.Namespace) -> Iterator[PairPrompts]:
    source = read_source(arguments)
    datasets, findings = build_datasets(source.values, source.search_path)
    models: list[ModelSpec] = []
    if source.values.get("models"):
        models, model_findings = build_models(source.values, source.search_path)
        findings += model_findings
    wrong = [finding for finding in findings if finding.kind is FindingKind.CONFIG]
    if wrong:
        raise UserError(wrong)
    show_findings([finding for finding in findings if finding.kind is FindingKind.WARNING])
    models = _matching(models, arguments.model, arguments.all, "model")
    datasets = _matching(datasets, arguments.pattern, arguments.all, "dataset")
    cache = DatasetCache(source.search_path)
    for dataset in datasets:
        data = cache.load(dataset)
        if not models:
            yield abstract_prompts(dataset, data, source.search_path)
        for model in models:
            yield PairPrompts(model, dataset, data, source.search_path)


def _matching(specs: Sequence[Any], pattern: str | None, everything: bool, what: str) -> list[Any]:
    if pattern is None:
        return list(specs) if everything else list(specs[:1])
    found: list[ModelSpec | DatasetSpec] = [spec for spec in specs if fnmatchcase(spec.abbr, pattern)]
    if not found:
        names = ", ".join(spec.abbr for spec in specs)
        raise UserError(Finding(f"no {what} is named like {pattern!r}", remedy=f"there are {names}"))
    return found


def _show(pair: PairPrompts, count: int) -> None:
    rows = pair.rows()
    for row in rows[: min(count, len(rows))]:
        out.rule(escape(f"{pair.model.abbr} on {pair.dataset.abbr}, row {row.row}"))
        named = pair.named_prompts(row)
        for label, rendered in named.items():
            if label:
                out.print(f"[bold]label {escape(label)}[/]")
            fitted = _fitted(pair, rendered.prompt)
            sent = fitted.request.prompt if fitted else rendered.prompt
            _show_prompt(rendered.prompt, sent)
            tokens = f"{pair.count_tokens(sent)} tokens ({pair.count_tokens.name})"
            dropped = f", {rendered.dropped_examples} left out for length" if rendered.dropped_examples else ""
            out.print(escape(f"— {tokens}, {rendered.examples} in-context examples{dropped}{_room(pair, fitted)}"))
        gold = pair.dataset.reader.output_column
        if gold:
            out.print(f"[bold]reference:[/] {escape(str(pair.data.test[row.row].get(gold)))}")


def _fitted(pair: PairPrompts, prompt: Prompt) -> FittedRequest | None:
    """What is sent; None for a prompt that is too long to be sent."""
    try:
        return pair.fitted(prompt)
    except TooLong:
        return None


def _show_prompt(rendered: Prompt, sent: Prompt) -> None:
    """What is sent, with what was cut marked."""
    if isinstance(rendered, str) or isinstance(sent, str):
        out.print(_marked(str(rendered), str(sent)))
        return
    whole, kept = to_wire_messages(rendered), to_wire_messages(sent)
    left_out = len(whole) - len(kept)
    first = next((i for i in range(len(kept)) if whole[i] != kept[i]), len(kept)) if left_out else 0
    for position, message in enumerate(whole):
        role = f"[bold]{escape(message['role'])}:[/]"
        if left_out and first <= position < first + left_out:
            out.print(f"{role} [red]\\[left out: {len(str(message['content']))} characters][/]")
            continue
        own = kept[position - left_out if left_out and position >= first + left_out else position]
        out.print(f"{role} {_marked(str(message['content']), str(own['content']))}")


def _marked(whole: str, kept: str) -> str:
    """The kept text with a mark where the rest was."""
    cut = len(whole) - len(kept)
    if cut <= 0:
        return escape(kept)
    start = next((at for at, (a, b) in enumerate(zip(whole, kept, strict=False)) if a != b), len(kept))
    return f"{escape(kept[:start])}[red]\\[cut: {cut} characters][/]{escape(kept[start:])}"


def _room(pair: PairPrompts, fitted: FittedRequest | None) -> str:
    limit = pair.model.arguments.get("max_seq_len")
    if fitted is None:
        return f"; not sent: longer than the context of {limit}"
    note = f"; {fitted.note}" if fitted.note else ""
    budget = fitted.request.max_out_len
    if budget is None or not isinstance(limit, int) or fitted.prompt_tokens is None:
        return note
    wanted = pair.dataset.inferencer.get("max_out_len") or pair.model.max_out_len
    instead = f" instead of {wanted}" if wanted != budget else ""
    kept = reserved_tokens(limit - fitted.prompt_tokens)
    return f"{note}; the answer gets {budget} tokens{instead} (context {limit}, {kept} kept free for the chat template)"


def _show_stats(stats: Sequence[LengthStats]) -> None:
    headers = ("model", "dataset", "prompts", "least", "mean", *(f"p{share * 100:.0f}" for share in _QUANTILES), "most",
               "too long", "counted by")  # fmt: skip
    rows = [
        (s.model, s.dataset, s.prompts, s.least, round(s.mean, 1), *s.quantiles, s.most,
         "?" if s.too_long is None else s.too_long, s.counted_by)
        for s in stats
    ]  # fmt: skip
    out.print(tabulate(rows, headers=headers), markup=False)
