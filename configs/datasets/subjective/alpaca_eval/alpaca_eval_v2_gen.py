"""AlpacaEval 2: for each of 805 instructions, a judge compares the answers of gpt4_1106_preview and the model."""

from tasks.data.benchmarks.alpaca_eval import AlpacaEvalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.report.summary.subjective import AlpacaSummarizer
from tasks.score.subjective.lm_evaluator import LMEvaluator
from tasks.score.subjective.postprocessors import alpacaeval_postprocess

alpacav2_reader_cfg = dict(input_columns=["question", "capability"], output_column=None)

alpacav2_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{question}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=2048),
)

alpacav2_eval_cfg = dict(
    evaluator=dict(
        type=LMEvaluator,
        judge_cfg=dict(),
        prompt_template=dict(
            type=PromptTemplate,
            template=dict(
                begin=[
                    dict(
                        role="SYSTEM",
                        fallback_role="HUMAN",
                        prompt="You compare two answers to the same instruction and say which one most people would "
                        "rather have got. Which one you are shown first must not matter.",
                    )
                ],
                round=[
                    dict(
                        role="HUMAN",
                        prompt="<instruction>\n{question}\n</instruction>\n\n"
                        "Answer m:\n<m>\n{prediction}\n</m>\n\n"
                        "Answer M:\n<M>\n{prediction2}\n</M>\n\n"
                        "Reply with the name of the better answer in double square brackets and nothing else: [[m]] or "
                        "[[M]]. Only if you really cannot tell them apart, reply [[T]].",
                    )
                ],
            ),
        ),
        dict_postprocessor=dict(type=alpacaeval_postprocess),
    )
)

alpacav2_datasets = [
    dict(
        abbr="alpaca_eval_v2",
        type=AlpacaEvalDataset,
        path="data/subjective/alpaca_eval",
        name="alpaca_eval",
        reader_cfg=alpacav2_reader_cfg,
        infer_cfg=alpacav2_infer_cfg,
        eval_cfg=alpacav2_eval_cfg,
        mode="m2n",
        infer_order="random",
        base_models=["gpt4_1106_preview"],
        given_pred=[dict(abbr="gpt4_1106_preview", path="data/subjective/alpaca_eval/alpaca_eval_gpt4_baseline.json")],
        summarizer=dict(type=AlpacaSummarizer, judge_type="v2"),
    )
]
