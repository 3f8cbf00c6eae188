"""MMLU by perplexity, with the five examples of each subject: chooses the likeliest letter."""

from tasks.data.benchmarks.mmlu import MMLUDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .mmlu_gen import mmlu_all_sets, mmlu_reader_cfg

_question = "{input}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer:"

mmlu_datasets = [
    dict(
        abbr=f"lukaemon_mmlu_{name}",
        type=MMLUDataset,
        path="opencompass/mmlu",
        name=name,
        reader_cfg=mmlu_reader_cfg,
        infer_cfg=dict(
            ice_template=dict(
                type=PromptTemplate,
                template={letter: f"{_question} {letter}\n" for letter in "ABCD"},
            ),
            prompt_template=dict(
                type=PromptTemplate,
                template={
                    letter: f"Questions about {name.replace('_', ' ')}, each with its answer.\n\n</E>{_question} "
                    f"{letter}"
                    for letter in "ABCD"
                },
                ice_token="</E>",
            ),
            retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4]),
            inferencer=dict(type=PPLInferencer),
        ),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator)),
    )
    for name in mmlu_all_sets
]
