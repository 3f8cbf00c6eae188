"""Dataset entries for the `chatml_datasets` of a configuration."""

from collections.abc import Callable, Mapping
from typing import Any

from tasks.spec.findings import Finding, UserError, nearest
from tasks.spec.values import ConfigDict

_KEYS = ("abbr", "path", "file_name", "local_mode", "evaluator", "n", "k", "test_range")
_REQUIRED = ("abbr", "path", "evaluator")
_INSTRUCTION = r"Think it through, and put nothing but your final answer inside \boxed{}."
_EVALUATOR = "opencompass.evaluator."


def expand_chatml(values: ConfigDict) -> ConfigDict:
    """The configuration with its `chatml_datasets` appended to `datasets`, each as a complete entry."""
    entries = values.get("chatml_datasets")
    if entries is None:
        return values
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, ConfigDict) for entry in entries):
        raise UserError(Finding("chatml_datasets is a list of dicts", values.place_of("chatml_datasets")))
    return values | {"datasets": [*values.get("datasets", ()), *(_dataset(entry) for entry in entries)]}


def _dataset(entry: ConfigDict) -> ConfigDict:
    findings = [Finding(f"this ChatML dataset has no {key!r}", entry.place) for key in _REQUIRED if key not in entry]
    findings += [
        Finding(f"a ChatML dataset has no option {key!r}", entry.place_of(key), nearest(str(key), _KEYS))
        for key in entry
        if key not in _KEYS
    ]
    if findings:
        raise UserError(findings)
    reader = {"input_columns": ["chatml_question", "question"], "output_column": "answer"}
    made = {
        "abbr": entry["abbr"],
        "type": "tasks.data.chatml.ChatMLDataset",
        "instruction": _INSTRUCTION,
        **{key: entry[key] for key in ("path", "file_name", "local_mode", "n", "k") if key in entry},
        "reader_cfg": reader | ({"test_range": entry["test_range"]} if "test_range" in entry else {}),
        "infer_cfg": {
            "prompt_template": {
                "type": "opencompass.openicl.icl_raw_prompt_template.RawPromptTemplate",
                "messages": [{"expand_column": "chatml_question"}],
            },
            "retriever": {"type": "opencompass.openicl.icl_retriever.ZeroRetriever"},
            "inferencer": {"type": "opencompass.openicl.icl_inferencer.GenInferencer"},
        },
        "eval_cfg": _scoring(entry["evaluator"], entry),
    }
    return ConfigDict.placed(made, entry.place, entry.lines)


def _scoring(evaluator: Any, entry: ConfigDict) -> dict[str, Any]:
    kind = evaluator.get("type") if isinstance(evaluator, Mapping) else None
    if kind not in _EVALUATORS:
        remedy = nearest(str(kind), _EVALUATORS)
        raise UserError(Finding(f"there is no evaluator {kind!r} for ChatML data", entry.place_of("evaluator"), remedy))
    return _EVALUATORS[kind](evaluator)


def _math(_: Mapping[str, Any]) -> dict[str, Any]:
    return {"evaluator": {"type": f"{_EVALUATOR}MATHVerifyEvaluator"}}


def _option(evaluator: Mapping[str, Any]) -> dict[str, Any]:
    pattern = evaluator.get("answer_pattern", r"\\boxed\{\s*(?:\\text\{)?\(?([A-Z])\)?")
    return {
        "evaluator": {"type": "opencompass.openicl.icl_evaluator.AccEvaluator"},
        "pred_postprocessor": {
            "type": "opencompass.utils.text_postprocessors.match_answer_pattern",
            "answer_pattern": pattern,
        },
    }


def _judge(evaluator: Mapping[str, Any]) -> dict[str, Any]:
    template = {
        "type": "opencompass.openicl.icl_prompt_template.PromptTemplate",
        "template": {"round": [{"role": "HUMAN", "prompt": evaluator.get("prompt", "")}]},
    }
    judge = {"judge_cfg": evaluator["judge_cfg"]} if "judge_cfg" in evaluator else {}
    return {"evaluator": {"type": f"{_EVALUATOR}GenericLLMEvaluator", "prompt_template": template, **judge}}


def _cascade(evaluator: Mapping[str, Any]) -> dict[str, Any]:
    rule, judge = evaluator.get("rule_evaluator", {}), evaluator.get("llm_evaluator", {})
    rules = _EVALUATORS.get(rule.get("type"), _math)(rule)["evaluator"]
    return {
        "evaluator": {
            "type": f"{_EVALUATOR}CascadeEvaluator",
            "rule_evaluator": rules,
            "llm_evaluator": _judge(judge)["evaluator"],
        }
    }


_EVALUATORS: Mapping[Any, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "math_evaluator": _math,
    "mcq_rule_evaluator": _option,
    "llm_evaluator": _judge,
    "cascade_evaluator": _cascade,
}
