"""Dataset entries for a file of the user's own, made from what its first row looks like."""

import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.data.custom import data_file, read_rows
from tasks.plan.request import CustomData
from tasks.spec.findings import Finding, Place, UserError, nearest
from tasks.spec.storage.run_folder import read_json
from tasks.spec.values import ConfigDict

_KEYS = (
    "abbr", "data_type", "infer_method", "human_prompt", "bot_prompt", "template", "input_columns", "output_column",
    "options", "test_range", "evaluator", "evaluator_kwargs",
)  # fmt: skip
"""What the description of a file can say."""
_ENTRY_KEYS = ("path", "file_name", "local_mode", "meta_path", "n", "k")
"""What an entry of `datasets` can say beside these."""
_CIRCULAR = "circular-mcq"
_TYPES = ("mcq", "qa", _CIRCULAR)
_METHODS = ("gen", "ppl")
_ANSWER = "answer"


def expand_custom_datasets(values: ConfigDict) -> ConfigDict:
    """The configuration with every dataset entry that has a path but no type turned into a complete one."""
    if isinstance(values.get("datasets"), list | tuple):
        values = values | {"datasets": [_expanded(entry) for entry in values["datasets"]]}
    combinations = values.get("model_dataset_combinations")
    if isinstance(combinations, list | tuple):
        values = values | {"model_dataset_combinations": [_in_combination(entry) for entry in combinations]}
    return values


def custom_entry(custom: CustomData) -> ConfigDict:
    """The dataset entry that the `--custom-dataset-*` flags describe."""
    given = {key: value for key, value in custom.model_dump().items() if value is not None}
    return make_dataset(ConfigDict.placed(given, Place("--custom-dataset-path"), {}))


def make_dataset(entry: ConfigDict) -> ConfigDict:
    """A complete dataset entry; the entry's own keys come before its file's description, that before the first row.

    Raises UserError naming the place for files that are missing, empty or of no known form.
    """
    file = data_file(entry["path"], entry.get("file_name"), entry.get("local_mode", False))
    unknown = [key for key in entry if key not in _KEYS and key not in _ENTRY_KEYS]
    if unknown:
        remedy = nearest(str(unknown[0]), (*_KEYS, *_ENTRY_KEYS))
        message = f"a dataset without a type has no option {unknown[0]!r}"
        raise UserError(Finding(message, entry.place_of(unknown[0]), remedy or "or give it a type"))
    description = _guessed(file) | _meta(file, entry) | {key: entry[key] for key in entry if key in _KEYS}
    _check(description, entry, file)
    made = {
        "abbr": description["abbr"],
        **_loader(description),
        **{key: entry[key] for key in ("path", "file_name", "local_mode", "n", "k") if key in entry},
        **_sections(description),
    }
    return ConfigDict.placed(made, entry.place, entry.lines)


def _expanded(entry: Any) -> Any:
    return make_dataset(entry) if isinstance(entry, ConfigDict) and "type" not in entry and "path" in entry else entry


def _in_combination(entry: Any) -> Any:
    if not isinstance(entry, ConfigDict) or not isinstance(entry.get("datasets"), list | tuple):
        return entry
    return entry | {"datasets": [_expanded(dataset) for dataset in entry["datasets"]]}


def _guessed(file: Path) -> dict[str, Any]:
    rows = read_rows(file)
    if not rows:
        raise UserError(Finding("there are no rows to ask", Place(str(file))))
    columns = list(rows[0])
    options = []
    for letter in string.ascii_uppercase:
        if letter not in columns:
            break
        options.append(letter)
    return {
        "abbr": file.name.partition(".")[0],
        "input_columns": [column for column in columns if column != _ANSWER],
        "output_column": _ANSWER if _ANSWER in columns else None,
        "options": options,
        "data_type": "mcq" if len(options) > 1 else "qa",
        "infer_method": "gen",
    }


def _meta(file: Path, entry: ConfigDict) -> dict[str, Any]:
    named = entry.get("meta_path")
    path = Path(named).expanduser() if named else file.with_name(f"{file.name}.meta.json")
    if not named and not path.is_file():
        return {}
    try:
        meta = read_json(path)
    except OSError as error:
        raise UserError(Finding(f"cannot be read: {error.strerror}", Place(str(path)))) from None
    except ValueError as error:
        raise UserError(Finding(f"not JSON: {error}", Place(str(path)))) from None
    unknown = [key for key in meta if key not in _KEYS] if isinstance(meta, dict) else ["its form"]
    if unknown:
        message = f"there is no option {unknown[0]!r} here"
        raise UserError(Finding(message, Place(str(path)), nearest(str(unknown[0]), _KEYS)))
    return meta


def _check(description: Mapping[str, Any], entry: ConfigDict, file: Path) -> None:
    for key, valid in (("data_type", _TYPES), ("infer_method", _METHODS)):
        if description[key] not in valid:
            remedy = nearest(str(description[key]), valid)
            raise UserError(Finding(f"{key} cannot be {description[key]!r}", entry.place_of(key), remedy))
    options_of_evaluator = description.get("evaluator_kwargs") or {}
    if not isinstance(options_of_evaluator, dict):
        message = f"these are names with their values, not {type(options_of_evaluator).__name__}"
        raise UserError(Finding(message, Place(str(file), key="evaluator_kwargs")))
    options = description["options"]
    if description["data_type"] != "qa" and not (isinstance(options, list | tuple) and len(options) > 1):
        message = f"{description['data_type']} data have their options in columns A, B and so on, and there are none"
        raise UserError(Finding(message, Place(str(file)), "add the columns, or set data_type to 'qa'"))
    if description["data_type"] == "qa" and description["infer_method"] == "ppl":
        message = "likelihoods can be compared only between options, which question-and-answer data have not"
        raise UserError(Finding(message, entry.place_of("infer_method"), "use infer_method 'gen', or data_type 'mcq'"))


def _loader(description: Mapping[str, Any]) -> dict[str, Any]:
    if description["data_type"] != _CIRCULAR:
        return {"type": "opencompass.datasets.CustomDataset"}
    answer = description["output_column"] or _ANSWER
    return {
        "type": "tasks.data.benchmarks.circular.CircularCustomDataset",
        "options": description["options"],
        "answer": answer,
    }


def _sections(description: Mapping[str, Any]) -> dict[str, Any]:
    reader = {"input_columns": description["input_columns"], "output_column": description["output_column"]}
    if description.get("test_range") is not None:
        reader["test_range"] = description["test_range"]
    scored = description["infer_method"] == "ppl"
    inferencer = "PPLInferencer" if scored else "GenInferencer"
    return {
        "reader_cfg": reader,
        "infer_cfg": {
            "prompt_template": {
                "type": "opencompass.openicl.icl_prompt_template.PromptTemplate",
                "template": description.get("template") or _template(description, by_label=scored),
            },
            "retriever": {"type": "opencompass.openicl.icl_retriever.ZeroRetriever"},
            "inferencer": {"type": f"opencompass.openicl.icl_inferencer.{inferencer}"},
        },
        "eval_cfg": _scoring(description),
    }


def _template(description: Mapping[str, Any], *, by_label: bool) -> dict[str, Any]:
    mcq = description["data_type"] != "qa"
    options = description["options"] if mcq else []
    lines = ["Question: {question}", *(f"{option}. {{{option}}}" for option in options)] if mcq else ["{question}"]
    human = description.get("human_prompt") or "\n".join(lines)
    bot = description.get("bot_prompt") or ("Answer: {answer}" if mcq else "{answer}")
    if not by_label:
        return _rounds(human, bot)
    column = description["output_column"] or _ANSWER
    return {option: _rounds(human, bot.replace(f"{{{column}}}", option)) for option in options}


def _rounds(human: str, bot: str) -> dict[str, Any]:
    return {"round": [{"role": "HUMAN", "prompt": human}, {"role": "BOT", "prompt": bot}]}


def _scoring(description: Mapping[str, Any]) -> dict[str, Any]:
    kwargs = description.get("evaluator_kwargs") or {}
    if description.get("evaluator"):
        return {"evaluator": {"type": description["evaluator"], **kwargs}, "pred_role": "BOT"}
    name = "CircularEvaluator" if description["data_type"] == _CIRCULAR else "AccEvaluator"
    scoring: dict[str, Any] = {
        "evaluator": {"type": f"opencompass.openicl.icl_evaluator.{name}", **kwargs},
        "pred_role": "BOT",
    }
    if description["data_type"] != "qa" and description["infer_method"] == "gen":
        scoring["pred_postprocessor"] = {
            "type": "opencompass.utils.text_postprocessors.first_option_postprocess",
            "options": "".join(description["options"]),
        }
    return scoring
