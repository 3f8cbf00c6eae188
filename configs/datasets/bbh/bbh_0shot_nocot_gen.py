"""BIG-Bench Hard without examples."""

from tasks.data.benchmarks.bbh import BBHDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.spec import read_base

with read_base():
    from .bbh_gen import bbh_free_form_sets, bbh_freeform_eval_cfg, bbh_mcq_eval_cfg, bbh_multiple_choice_sets

bbh_datasets = [
    dict(
        abbr=f"bbh-{name}",
        type=BBHDataset,
        path="opencompass/bbh",
        name=name,
        reader_cfg=dict(input_columns=["input"], output_column="target"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt=f"{{input}}\n\n{form}")])
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=eval_cfg,
    )
    for names, eval_cfg, form in (
        (
            bbh_multiple_choice_sets,
            bbh_mcq_eval_cfg,
            "Finish with the sentence 'The answer is (X)', where X is the letter of the right option.",
        ),
        (
            bbh_free_form_sets,
            bbh_freeform_eval_cfg,
            "Finish with the sentence 'The answer is …', with nothing but the result in place of the dots.",
        ),
    )
    for name in names
]
