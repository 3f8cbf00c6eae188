"""Every configuration that comes with the product loads and is right."""

from pathlib import Path

import pytest

from tasks.spec.build import build_datasets, build_models
from tasks.spec.config.bases import PACKAGED_CONFIGS
from tasks.spec.config.file import load_config
from tasks.spec.config.lookup import load_named
from tasks.spec.findings import FindingKind
from tasks.spec.run_spec import build_run_spec
from tasks.spec.values import ConfigDict


def stems(folder: str) -> list[str]:
    return sorted(file.stem for file in (PACKAGED_CONFIGS / folder).rglob("*.py") if file.stem != "__init__")


@pytest.mark.parametrize("name", stems("datasets"))
def test_datasets(name: str) -> None:
    datasets, findings = build_datasets(ConfigDict(datasets=load_named("datasets", [name])))
    assert datasets
    assert findings == []


@pytest.mark.parametrize("name", stems("models"))
def test_models(name: str) -> None:
    models, findings = build_models(ConfigDict(models=load_named("models", [name])))
    assert models
    assert [finding for finding in findings if finding.kind is not FindingKind.MACHINE] == []


@pytest.mark.parametrize("path", sorted((PACKAGED_CONFIGS / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    _, findings = build_run_spec(load_config(path).values, [path.parent])
    assert [finding for finding in findings if finding.kind is not FindingKind.MACHINE] == []


def test_the_demo_asks_64_questions_of_either_kind_of_model() -> None:
    for name in ("demo_gsm8k_chat_gen", "demo_gsm8k_base_gen"):
        (dataset,) = load_named("datasets", [name])
        assert (dataset.abbr, dataset.reader_cfg.test_range) == ("demo_gsm8k", "[0:64]")


def test_the_compatible_model_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_MODEL", "org/served")
    (model,) = load_named("models", ["openai_compatible"])
    assert (model.path, model.abbr) == ("org/served", "org/served")


def test_the_examples_in_prompts_carry_their_own_answer_form() -> None:
    """Four worked examples, each ending as the extraction expects, and the arithmetic in them is right."""
    (dataset,) = load_named("datasets", ["gsm8k_gen"])
    turns = dataset.infer_cfg.prompt_template.template["round"]
    answers = [turn.prompt for turn in turns if turn.role == "BOT"]
    assert len(answers) == 4
    for answer in answers:
        assert "The answer is " in answer.splitlines()[-1]
        for left, right in (line.rsplit(" = ", 1) for line in equations(answer)):
            assert float(right) == pytest.approx(evaluate(left)), answer


def equations(text: str) -> list[str]:
    import re

    return re.findall(r"[\d.]+(?: [-+*/] [\d.]+)+ = \d+(?:\.\d+)?", text)


def evaluate(expression: str) -> float:
    """`a op b op c …`, from left to right, as the examples write it."""
    first, *rest = expression.split()
    value = float(first)
    for sign, number in zip(rest[::2], rest[1::2], strict=True):
        value = {
            "+": value + float(number),
            "-": value - float(number),
            "*": value * float(number),
            "/": value / float(number),
        }[sign]
    return value
