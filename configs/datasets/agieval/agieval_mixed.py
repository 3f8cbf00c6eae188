"""AGIEval for base models: sets with one right option by perplexity, the others by generation."""

from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .agieval_gen import agieval_chinese_choice_sets, agieval_datasets, agieval_english_choice_sets

_answers = {
    **dict.fromkeys(agieval_chinese_choice_sets, ("ABCD", "答案：")),
    **dict.fromkeys(agieval_english_choice_sets, ("ABCD", "Answer: ")),
    **dict.fromkeys(["lsat-ar", "lsat-lr", "lsat-rc", "aqua-rat"], ("ABCDE", "Answer: ")),
}

for _entry in agieval_datasets:
    if _entry["name"] in _answers:
        _letters, _word = _answers[_entry["name"]]
        _entry["infer_cfg"]["prompt_template"] = dict(
            type=PromptTemplate,
            template={letter: f"{{question}}\n{{options}}\n{_word}{letter}" for letter in _letters},
        )
        _entry["infer_cfg"]["inferencer"] = dict(type=PPLInferencer)
        _entry["eval_cfg"] = dict(evaluator=dict(type=AccEvaluator))
