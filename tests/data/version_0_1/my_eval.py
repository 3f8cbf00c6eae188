from opencompass.datasets import generic_llmjudge_postprocess
from opencompass.evaluator import GenericLLMEvaluator
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from own_scoring import BracketEvaluator, ShortTable

from tasks.infer.inferencers import GenInferencer, PPLInferencer
from tasks.models.openai_chat import OpenAISDK
from tasks.models.openai_completion import OpenAISDKCompletion
from tasks.score.evaluators import AccEvaluator

_reader = dict(input_columns=["question"], output_column="answer")
_asked = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{question}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=16),
)
_data = dict(type="tasks.data.custom.CustomDataset", path="sums.jsonl", reader_cfg=_reader)
_judge = dict(type=OpenAISDK, abbr="judge", path="the-judge", key="EMPTY", openai_api_base="http://127.0.0.1:9/v1", retry=0)

_judged = dict(
    type=GenericLLMEvaluator,
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(round=[dict(role="HUMAN", prompt="GOLD: {obj_gold} SAID: {prediction} (A: CORRECT, B: INCORRECT)")]),
    ),
    dataset_cfg=_data,
    judge_cfg=_judge,
    dict_postprocessor=dict(type=generic_llmjudge_postprocess),
)
_chat_sets = [
    dict(
        abbr="sums", **_data, infer_cfg=_asked,
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator), pred_postprocessor=dict(type="tasks.score.postprocessors.gsm8k_postprocess")
        ),
    ),
    dict(abbr="judged", **_data, infer_cfg=_asked, eval_cfg=dict(evaluator=_judged)),
    dict(abbr="own", **_data, infer_cfg=_asked, eval_cfg=dict(evaluator=dict(type=BracketEvaluator))),
]
_choices = dict(
    abbr="choices", **_data,
    infer_cfg=dict(
        prompt_template=dict(type=PromptTemplate, template={"3": "{question} 3", "7": "{question} 7"}),
        retriever=dict(type=ZeroRetriever),
        inferencer=dict(type=PPLInferencer),
    ),
    eval_cfg=dict(evaluator=dict(type="opencompass.openicl.icl_evaluator.AccEvaluator")),
)
datasets = [*_chat_sets, _choices]
_chat = dict(type=OpenAISDK, path="adder", key="EMPTY", openai_api_base="http://127.0.0.1:9/v1", retry=0)
_base = dict(
    type=OpenAISDKCompletion, abbr="base", path="base", key="EMPTY", openai_api_base="http://127.0.0.1:9/v1", retry=0
)
models = [_chat, _base]
model_dataset_combinations = [
    dict(models=[_chat], datasets=_chat_sets), dict(models=[_base], datasets=[_choices])
]
summarizer = dict(type=ShortTable)
