"""Variants whose examples a model chooses, with a stub in its place: FLORES by likeness, CommonsenseQA by surprise."""

from collections.abc import Sequence

import pytest
from support.known_data import packaged_specs
from support.shared_data import shared_data

from tasks.data.loading import load_dataset
from tasks.prompts.embedding_retrievers import EmbeddingRetriever
from tasks.prompts.mdl_retriever import MDLRetriever
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import prompt_text

VOWELS = "aeiou"


def _embedded(_: EmbeddingRetriever, texts: Sequence[str]) -> list[list[float]]:
    """How often each vowel occurs."""
    return [[text.lower().count(vowel) / (len(text) + 1) for vowel in VOWELS] for text in texts]


def _prompt(config: str, abbr: str, monkeypatch: pytest.MonkeyPatch) -> str:
    pytest.importorskip("numpy")
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))
    monkeypatch.setattr(EmbeddingRetriever, "embed", _embedded)
    monkeypatch.setattr(MDLRetriever, "surprise", lambda _self, context, _question: len(context))
    spec = next(spec for spec in packaged_specs(config) if spec.abbr == abbr)
    renderer = PromptRenderer(spec, load_dataset(spec), prompt_form="messages")
    return prompt_text(renderer.generation(3).prompt)


def test_flores_shows_the_sentences_most_like_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = _prompt("flores_topk_gen", "flores_100_eng-deu", monkeypatch)
    fixed = _prompt("flores_gen", "flores_100_eng-deu", monkeypatch)
    assert chosen.count("Translate from English to German") == fixed.count("Translate from English to German") == 9
    assert chosen != fixed


def test_commonsenseqa_shows_the_examples_that_surprise_least(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _prompt("commonsenseqa_mdl_gen", "commonsense_qa", monkeypatch).count("Reply with the letter.") == 9
