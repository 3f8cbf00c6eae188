"""Writes the page of a run into its folder."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from tasks.report.page.content import read_content
from tasks.report.page.html import page_html
from tasks.report.page.sample_blocks import all_blocks
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, replacing

MOST_SAMPLES = 20_000
"""Samples that the file holds where nothing else is asked for."""


def write_report(
    models: Sequence[ModelSpec],
    datasets: Sequence[DatasetSpec],
    folder: RunFolder,
    summarizer: dict[str, Any] | None,
    *,
    search_path: Sequence[str] = (),
    pairs: Collection[Pair] | None = None,
    most_samples: int | None = MOST_SAMPLES,
) -> Path:
    """Writes `summary/report.html`, one file that needs no other; arguments as those of `summarize`.

    Of a larger run the page holds `most_samples`, those that are not right first. UserError for a summarizer that
    cannot be used, or where a package of the extra `report` is missing.
    """
    content = read_content(
        models,
        datasets,
        folder,
        summarizer,
        search_path=search_path,
        pairs=pairs,
        most_samples=most_samples,
    )
    path = folder.summary / "report.html"
    with (
        replacing(path) as temporary,
        temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file,
    ):
        file.writelines(page_html(content, all_blocks(content.samples, folder)))
    return path
