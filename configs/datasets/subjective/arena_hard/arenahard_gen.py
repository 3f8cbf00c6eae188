"""Arena-Hard: 500 hard user questions; a judge compares each answer with that of gpt4-0314, in both orders."""

from tasks.data.benchmarks.arena_hard import ArenaHardDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.report.summary.subjective import ArenaHardSummarizer
from tasks.score.subjective.lm_evaluator import LMEvaluator
from tasks.score.subjective.postprocessors import arenahard_postprocess

arenahard_reader_cfg = dict(input_columns=["question", "capability"], output_column=None)

arenahard_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{question}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=4096),
)

arenahard_eval_cfg = dict(
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
                        prompt="You are the referee between two assistants, A and B, who answered the same user. "
                        "Before you look at them, solve the user's task yourself. Then compare both answers with your "
                        "own: what is wrong or missing in them, what helps the user, what is beside the point. Neither "
                        "order nor length counts.",
                    )
                ],
                round=[
                    dict(
                        role="HUMAN",
                        prompt="<user>\n{question}\n</user>\n\n"
                        "<assistant_A>\n{prediction}\n</assistant_A>\n\n"
                        "<assistant_B>\n{prediction2}\n</assistant_B>\n\n"
                        "Give your own solution, then the comparison, and close with exactly one of these verdicts:\n"
                        "[[A>>B]] A is far better\n"
                        "[[A>B]] A is a little better\n"
                        "[[A=B]] they are about as good as each other\n"
                        "[[B>A]] B is a little better\n"
                        "[[B>>A]] B is far better",
                    )
                ],
            ),
        ),
        dict_postprocessor=dict(type=arenahard_postprocess),
    )
)

arenahard_datasets = [
    dict(
        abbr="arenahard",
        type=ArenaHardDataset,
        path="data/subjective/arena_hard",
        name="arenahard",
        reader_cfg=arenahard_reader_cfg,
        infer_cfg=arenahard_infer_cfg,
        eval_cfg=arenahard_eval_cfg,
        mode="m2n",
        infer_order="double",
        base_models=["gpt4-0314"],
        given_pred=[dict(abbr="gpt4-0314", path="data/subjective/arena_hard/gpt4-0314")],
        summarizer=dict(type=ArenaHardSummarizer),
    )
]
