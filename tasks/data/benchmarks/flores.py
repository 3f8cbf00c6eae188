"""FLORES-200: sentences in 200 languages, the first 100 of `devtest` (NLLB Team 2022, arXiv:2207.04672)."""

from pathlib import Path
from typing import Any

from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_COUNT = 100


class FloresFirst100Dataset(BaseDataset):
    """Columns `sentence_<language>` of both languages; splits `dev`, for examples, and `devtest`."""

    @staticmethod
    def load(path: str = "opencompass/flores", name: str = "eng_Latn-deu_Latn") -> dict[str, list[dict[str, Any]]]:
        """From `<split>/<language>.<split>` in the folder `path`; `name` is the source and the target language."""
        languages = name.split("-")
        if len(languages) != 2:
            raise UserError(
                Finding(
                    f"name={name!r} does not name two languages", remedy="write two languages: name='eng_Latn-deu_Latn'"
                )
            )
        dev, devtest = (_read(path, split, languages) for split in ("dev", "devtest"))
        return {"dev": dev, "devtest": devtest[:_COUNT]}


def _read(path: str, split: str, languages: list[str]) -> list[dict[str, Any]]:
    files = [file_in(path, f"{split}/{language}.{split}") for language in languages]
    source, target = (_lines(file) for file in files)
    if len(source) != len(target):
        message = f"{len(target)} lines for the {len(source)} of {files[0].name}"
        raise UserError(Finding(message, Place(str(files[1])), "both languages have the same sentences, one per line"))
    columns = [f"sentence_{language}" for language in languages]
    return [dict(zip(columns, pair, strict=True)) for pair in zip(source, target, strict=True)]


def _lines(file: Path) -> list[str]:
    """Lines end at line feeds only: sentences may hold other separators."""
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
