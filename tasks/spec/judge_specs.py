"""The models that judge: a `judge_cfg` of a dataset's evaluation as a checked spec."""

import os
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, cast

from tasks.spec.checker import MODEL_KEYS
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.names.type_table import entry_of
from tasks.spec.specs import DatasetSpec, ModelSpec

_MODEL, _KEY, _ADDRESS = "OC_JUDGE_MODEL", "OC_JUDGE_API_KEY", "OC_JUDGE_API_BASE"
_FRAMEWORK = MODEL_KEYS - {"abbr", "run_cfg"}


def judge_spec(config: Mapping[str, Any] | None) -> ModelSpec:
    """The judge of a checked `judge_cfg`; the one that `OC_JUDGE_*` names where it is empty.

    UserError, of kind MACHINE, if those variables are not set.
    """
    config = config or _from_environment()
    dotted = str(config["type"])
    resources = cast(Mapping[str, Any], config.get("run_cfg") or {})
    arguments = {key: value for key, value in config.items() if key not in MODEL_KEYS and key != "type"}
    entry = entry_of(dotted)
    return ModelSpec(
        abbr=str(config.get("abbr") or _default_abbr(dotted, config.get("path"))),
        type=dotted,
        written_type=dotted.rpartition(".")[2],
        arguments=arguments,
        is_api=entry is None or not entry.loads_weights,
        num_gpus=int(resources.get("num_gpus", 0)),
        num_procs=int(resources.get("num_procs", 1)),
        **{key: config[key] for key in _FRAMEWORK if key in config},
    )


def judges_of(dataset: DatasetSpec) -> Iterator[ModelSpec]:
    """The judges that a dataset's evaluators name, those inside of a cascade too; UserError as `judge_spec`.

    Those that a subjective partitioner names come before the evaluator's own.
    """
    subjective = dataset.subjective
    configs: list[Any] = list(subjective.judges) if subjective else []
    for evaluator in evaluators_of(dataset.eval_cfg) if not configs else ():
        own: Any = evaluator.get("judge_cfg")
        if "judge_cfg" in evaluator or subjective or str(evaluator.get("type")).endswith(".GenericLLMEvaluator"):
            configs += cast(list[Any], own) if isinstance(own, list | tuple) and own else [own]
    if subjective and subjective.meta_judge:
        configs.append(subjective.meta_judge)
    yield from map(judge_spec, configs)


def evaluators_of(eval_cfg: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The evaluator of an `eval_cfg`, and those that it is made of."""
    evaluator = _mapping(eval_cfg.get("evaluator"))
    parts = (evaluator, *(_mapping(evaluator.get(key)) for key in ("rule_evaluator", "llm_evaluator")))
    yield from filter(None, parts)


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _from_environment() -> dict[str, Any]:
    """OpenCompass's settings for a judge that only the environment names."""
    missing = [name for name in (_MODEL, _KEY) if not os.environ.get(name)]
    if missing:
        message = f"judge_cfg is empty, and the environment does not say who judges: {' and '.join(missing)} not set"
        remedy = f"export {_MODEL}=… {_KEY}=… ({_ADDRESS}=… where it is not OpenAI), or fill in judge_cfg"
        raise UserError(Finding(message, remedy=remedy, kind=FindingKind.MACHINE))
    model = os.environ[_MODEL]
    address = os.environ.get(_ADDRESS)
    return {
        "type": "tasks.models.services.openai_chat.OpenAISDK",
        "abbr": model,
        "path": model,
        "key": f"ENV:{_KEY}",
        **({"openai_api_base": address} if address else {}),
        "query_per_second": 16,
        "batch_size": 1024,
        "temperature": 0.001,
        "tokenizer_path": "gpt-4o-2024-05-13",
        "max_out_len": 16384,
        "max_seq_len": 49152,
    }


def _default_abbr(dotted: str, path: Any) -> str:
    parts = PurePath(path).parts[-2:] if isinstance(path, str) else ()
    return "_".join([dotted.rpartition(".")[2], *parts])
