"""SimpleQA: short factual questions; a judge grades each answer as correct, incorrect or not attempted."""

from tasks.data.benchmarks.open_questions import SimpleQADataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.judging.generic_evaluator import GenericLLMEvaluator
from tasks.score.judging.grades import generic_llmjudge_postprocess

simpleqa_reader_cfg = dict(input_columns=["problem"], output_column="answer", train_split="test", test_split="test")

simpleqa_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{problem}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

simpleqa_judge_prompt = """\
You grade the answer to a question of fact. Compare it with the reference, which is right.

A: CORRECT - the answer holds all that the reference says, in any words, and nothing that contradicts it. A number may \
be rounded where the question does not ask for more; a name may be misspelt as long as it is plain who is meant.
B: INCORRECT - something in the answer contradicts the reference, even if it is hedged ("probably", "I think").
C: NOT_ATTEMPTED - the answer neither gives what the reference says nor contradicts it: it declines, asks back, or \
says too little.

Question: {problem}
Reference: {answer}
Answer to grade: {prediction}

Reply with one letter: A, B or C."""

simpleqa_eval_cfg = dict(
    evaluator=dict(
        type=GenericLLMEvaluator,
        prompt_template=dict(
            type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt=simpleqa_judge_prompt)])
        ),
        dataset_cfg=dict(type=SimpleQADataset, path="opencompass/simpleqa", reader_cfg=simpleqa_reader_cfg),
        judge_cfg=dict(),
        dict_postprocessor=dict(type=generic_llmjudge_postprocess),
    ),
    pred_role="BOT",
)

simpleqa_datasets = [
    dict(
        abbr="simpleqa",
        type=SimpleQADataset,
        path="opencompass/simpleqa",
        reader_cfg=simpleqa_reader_cfg,
        infer_cfg=simpleqa_infer_cfg,
        eval_cfg=simpleqa_eval_cfg,
    )
]
