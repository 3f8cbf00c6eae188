"""Reads and plans every dataset configuration of an installed OpenCompass. Not part of `make test`.

    uv pip install --no-deps --target /tmp/oc opencompass==0.5.3
    PYTHONPATH=.:/tmp/oc python tests/integration/check_opencompass_configs.py

Classes whose packages are not installed (mmengine, datasets, torch, …) are what the machine lacks; everything else that
keeps a configuration from being planned counts. The exit status is 0 if the versions that
OpenCompass publishes come out.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tasks.spec.build import build_datasets
from tasks.spec.config.bases import installed_configs
from tasks.spec.config.file import load_config
from tasks.spec.findings import FindingKind, UserError
from tasks.spec.specs import DatasetSpec
from tasks.spec.values import ConfigDict

_HASHED = re.compile(r"_([0-9a-f]{6})$")
PUBLISHED = {
    "gsm8k/gsm8k_gen_1d7fe4": "1d7fe4",
    "math/math_0shot_gen_393424": "393424",
    "ARC_c/ARC_c_gen_1e0de5": "1e0de5",
    "siqa/siqa_gen_18632c": "18632c",
    "piqa/piqa_ppl_1cf9f0": "1cf9f0",
    "humaneval/humaneval_gen_8e312c": "8e312c",
    "mbpp/mbpp_gen_830460": "830460",
    "SuperGLUE_BoolQ/SuperGLUE_BoolQ_gen_883d50": "883d50",
    "winogrande/winogrande_gen_458220": "458220",
    "gpqa/gpqa_openai_simple_evals_gen_5aeece": "5aeece",
    "IFEval/IFEval_gen_353ae7": "353ae7",
    "hellaswag/hellaswag_ppl_a6e128": "a6e128",
}
"""File → version of its first dataset, as OpenCompass computes them."""


class Outcome(NamedTuple):
    """What became of one file."""

    name: str
    datasets: tuple[DatasetSpec, ...]
    problems: tuple[str, ...]
    """Why it cannot be planned."""
    lacks: bool
    """Whether packages are missing to run it."""


def outcomes(root: Path) -> Iterator[Outcome]:
    """Every file that defines datasets."""
    for file in sorted(root.rglob("*.py")):
        if file.name == "__init__.py":
            continue
        name = str(file.relative_to(root).with_suffix(""))
        try:
            entries = _entries(load_config(file).values)
        except UserError as error:
            yield Outcome(name, (), (str(error.findings[0].message),), lacks=False)
            continue
        if entries:
            specs, findings = build_datasets(ConfigDict(datasets=entries))
            wrong = tuple(str(finding) for finding in findings if finding.kind is FindingKind.CONFIG)
            lacks = any(finding.kind is FindingKind.MACHINE for finding in findings)
            yield Outcome(name, tuple(specs), wrong, lacks)


def _entries(values: Any) -> list[Any]:
    lists = [values[name] for name in values if str(name).endswith("_datasets") and isinstance(values[name], list)]
    return list({id(entry): entry for entries in lists for entry in entries}.values())


def main() -> int:
    configs = installed_configs()
    if configs is None:
        sys.stderr.write("opencompass is not installed\n")
        return 2
    found = {outcome.name: outcome for outcome in outcomes(configs / "datasets")}
    wrong = [outcome for outcome in found.values() if outcome.problems]
    for outcome in wrong:
        sys.stdout.write(f"{outcome.name}\n    {outcome.problems[0]}\n")
    hashed = [(o, m[1]) for o in found.values() if len(o.datasets) == 1 and (m := _HASHED.search(o.name))]
    equal = sum(outcome.datasets[0].version == version for outcome, version in hashed)
    different = [
        name for name, version in PUBLISHED.items() if name in found and found[name].datasets[0].version != version
    ]
    lacking = sum(outcome.lacks for outcome in found.values())
    unknown = [name for name in PUBLISHED if name not in found]
    sys.stdout.write(
        f"{len(found)} files, {len(found) - len(wrong)} can be planned, {lacking} of all need packages to run; "
        f"{equal} of {len(hashed)} files of one dataset have the version in their name; "
        f"published versions that differ: {', '.join(different) or 'none'}; "
        f"not found: {', '.join(unknown) or 'none'}\n"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
