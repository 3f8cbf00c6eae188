"""The version column: the hash that OpenCompass computes of the same configuration."""

from collections.abc import Callable

import pytest

from tasks.spec.prompt_hash import prompt_version
from tasks.spec.values import ConfigDict

Read = Callable[..., ConfigDict]

OPENCOMPASS = """
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import FixKRetriever
"""
OURS = """
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
"""
BODY = """
infer_cfg = dict(
    ice_template=dict(type=PromptTemplate, template='Q: {q}\\nA: {a}'),
    prompt_template=dict(type=PromptTemplate, template='</E>Q: {q}\\nA: é', ice_token='</E>'),
    retriever=dict(type=FixKRetriever, fix_id_list=[0, 2]),
    inferencer=dict(type=GenInferencer, max_out_len=%s),
)
"""


@pytest.mark.parametrize("imports", [OPENCOMPASS, OURS])
def test_is_what_opencompass_computes(read: Read, imports: str) -> None:
    assert prompt_version(read(imports + BODY % 9).infer_cfg) == "e6dd47"


def test_changes_with_the_output_limit(read: Read) -> None:
    assert prompt_version(read(OURS + BODY % 10).infer_cfg) != prompt_version(read(OURS + BODY % 9).infer_cfg)


def test_what_cannot_be_hashed_has_no_version(read: Read) -> None:
    assert prompt_version(read("infer_cfg = dict(x={1})").infer_cfg) == "-"
