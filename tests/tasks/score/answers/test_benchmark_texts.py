"""What reads answers to single benchmarks takes any text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.score.answers.bbh import bbh_freeform_postprocess, bbh_mcq_postprocess
from tasks.score.answers.mmlu_pro import mmlu_pro_postprocess
from tasks.score.benchmarks.ifeval.instructions import Instruction, follow
from tasks.score.benchmarks.lawbench.evaluators import ConsultationEvaluator, EntityEvaluator
from tasks.score.interface import Extraction, ExtractionStatus

_PIECES = st.sampled_from(
    ["answer is ", "**", "(A)", "Yes", "$", '"', "\\boxed{", "}", "\n", ".", "时间", "：", "侵权", "<<", ">>", "[", "]",
     "***", "P.S.", "<think>", "</think>", "\ud800", "²", "```json", "{", "1", ",", " "]
)  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join))
_INSTRUCTIONS = [
    Instruction("detectable_format:json_format", {}),
    Instruction("detectable_format:title", {}),
    Instruction("detectable_content:number_placeholders", {"num_placeholders": 1}),
    Instruction("length_constraints:nth_paragraph_first_word",
                {"num_paragraphs": 1, "nth_paragraph": 1, "first_word": "a"}),
    Instruction("length_constraints:number_sentences", {"num_sentences": 1, "relation": "at least"}),
    Instruction("language:response_language", {"language": "en"}),
    Instruction("change_case:capital_word_frequency", {"capital_frequency": 1, "capital_relation": "at least"}),
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(_TEXTS)
def test_extraction(text: str) -> None:
    for found in (bbh_mcq_postprocess(text), bbh_freeform_postprocess(text), mmlu_pro_postprocess(text)):
        assert isinstance(found, Extraction)
        assert bool(found.answer) == (found.status is ExtractionStatus.FOUND)
        assert found.span is None or 0 <= found.span[0] <= found.span[1] <= len(text)


@settings(max_examples=100, deadline=None)
@given(_TEXTS)
def test_evaluators(text: str) -> None:
    assert ConsultationEvaluator().score(predictions=[text], references=["侵权"])["score"] in (0, 100)
    assert 0 <= EntityEvaluator().score(predictions=[text], references=["时间:5月"])["score"] <= 100
    strict, loose = follow(text, _INSTRUCTIONS)
    assert all(loose[place] for place, followed in enumerate(strict) if followed)
