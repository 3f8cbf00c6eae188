"""Six short writing tasks that a judge rates from 1 to 10. For trying judges, not for comparing models."""

from tasks.data.custom import CustomDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.subjective.lm_evaluator import LMEvaluator
from tasks.score.subjective.postprocessors import mtbench_postprocess

demo_writing_reader_cfg = dict(input_columns=["question", "capability"], output_column=None)

demo_writing_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{question}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512),
)

demo_writing_eval_cfg = dict(
    evaluator=dict(
        type=LMEvaluator,
        judge_cfg=dict(),
        prompt_template=dict(
            type=PromptTemplate,
            template=dict(
                round=[
                    dict(
                        role="HUMAN",
                        prompt="Task:\n{question}\n\nAnswer:\n{prediction}\n\n"
                        "How well does the answer do what the task asks? Give one reason, then close with a rating "
                        "from 1 (not at all) to 10 (it could not be better) in double square brackets: [[5]]",
                    )
                ]
            ),
        ),
        dict_postprocessor=dict(type=mtbench_postprocess),
    )
)

demo_writing_datasets = [
    dict(
        abbr="demo_writing",
        type=CustomDataset,
        path="configs://datasets/demo_writing/demo_writing.jsonl",
        reader_cfg=demo_writing_reader_cfg,
        infer_cfg=demo_writing_infer_cfg,
        eval_cfg=demo_writing_eval_cfg,
        mode="singlescore",
    )
]
