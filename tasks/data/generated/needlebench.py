"""NeedleBench: facts at chosen depths of a long text (Li et al. 2024, arXiv:2407.11963).

The texts are generated: tasks and their measures are the benchmark's, texts and wordings are ours. Rows have `prompt`
and `answer`, the texts to be named. `length` counts estimated tokens, `depth` is percent of the text before a fact.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tasks.data.generated.text import estimated_tokens, filler, kept, new_words, vocabulary
from tasks.data.interface import BaseDataset

_ANSWER_TOKENS = 100
_WORDINGS = {
    "English": {
        "start": "Read the long text below. A question about it follows.",
        "end": "End of the text.\n\nQuestion: {question}\nReply with the answer only.",
        "fact": "The hidden treasure of {place} is the {thing}.",
        "one": "What is the hidden treasure of {places}?",
        "many": "What are the hidden treasures of {places}? Name one for each.",
        "and": " and ",
        "teacher": "{pupil} learned everything from {teacher}.",
        "chain": "Start with {pupil} and go from pupil to teacher as far as the text tells. Who is the last teacher?",
    },
    "Chinese": {
        "start": "请阅读下面的长文，然后回答文末的问题。",
        "end": "（正文结束）\n\n问题：{question}\n请只回答答案。",
        "fact": "{place}的秘密宝物是{thing}。",
        "one": "{places}的秘密宝物是什么？",
        "many": "{places}的秘密宝物分别是什么？",
        "and": "、",
        "teacher": "{pupil}的本领都是{teacher}教的。",
        "chain": "从{pupil}开始，由学生追溯到老师，直到文中不再提及为止，最后一位老师是谁？",
    },
}


class NeedleBenchOriginDataset(BaseDataset):
    """One fact in the text is asked for."""

    @staticmethod
    def load(
        length: int = 4000,
        depth: int = 50,
        num_repeats: int = 10,
        language: str = "English",
        random_seed: int = 42,
    ) -> Sequence[dict[str, Any]]:
        """`num_repeats` rows with the fact at this depth."""

        def row(rng: Random) -> dict[str, Any]:
            places, things, facts = _facts(rng, 1, language)
            question = _WORDINGS[language]["one"].format(places=places[0])
            return _row(rng, facts, [depth], question, things, length, language)

        return _rows(row, num_repeats, length, language, f"{random_seed}/{depth}")


class NeedleBenchParallelDataset(BaseDataset):
    """Several facts, evenly spread over the text, are asked for at once."""

    @staticmethod
    def load(
        length: int = 4000,
        num_needles: int = 5,
        num_samples: int = 50,
        language: str = "English",
        random_seed: int = 42,
    ) -> Sequence[dict[str, Any]]:
        """`num_samples` rows with `num_needles` facts each."""
        spread = [round(100 * place / max(num_needles - 1, 1)) for place in range(num_needles)]

        def row(rng: Random) -> dict[str, Any]:
            places, things, facts = _facts(rng, num_needles, language)
            wording = _WORDINGS[language]
            question = wording["many"].format(places=wording["and"].join(places))
            return _row(rng, facts, spread, question, things, length, language)

        return _rows(row, num_samples, length, language, f"{random_seed}")


class NeedleBenchMultiDataset(BaseDataset):
    """Facts that hang together: who learned from whom; the last teacher of the chain is asked for."""

    @staticmethod
    def load(
        length: int = 4000,
        depth: int = 50,
        num_needles: int = 3,
        num_repeats: int = 10,
        language: str = "English",
        random_seed: int = 42,
    ) -> Sequence[dict[str, Any]]:
        """`num_repeats` rows with `num_needles` facts, the first at this depth and the others at random ones."""

        def row(rng: Random) -> dict[str, Any]:
            wording, prefix = _WORDINGS[language], "" if language == "English" else "chinese_"
            people = rng.sample(vocabulary(f"{prefix}names"), num_needles + 1)
            facts = [wording["teacher"].format(pupil=people[i], teacher=people[i + 1]) for i in range(num_needles)]
            places = [depth, *(rng.randrange(101) for _ in facts[1:])]
            question = wording["chain"].format(pupil=people[0])
            return _row(rng, facts, places, question, [people[-1]], length, language)

        return _rows(row, num_repeats, length, language, f"{random_seed}/{depth}")


def _rows(
    row: Callable[[Random], dict[str, Any]], number: int, length: int, language: str, seed: str
) -> Sequence[dict[str, Any]]:
    """Each row has random numbers of its own."""
    filler(0, Random(seed), language)  # tells of an unknown language before anything is made
    return kept((row(Random(f"{seed}/{place}")) for place in range(number)), number * length)


def _row(
    rng: Random,
    facts: Sequence[str],
    depths: Sequence[int],
    question: str,
    answers: Sequence[str],
    length: int,
    language: str,
) -> dict[str, Any]:
    wording = _WORDINGS[language]
    start, end = wording["start"], wording["end"].format(question=question)
    room = length - _ANSWER_TOKENS - estimated_tokens("\n".join([start, *facts, end]))
    lines = filler(room, rng, language)
    for fact, depth in sorted(zip(facts, depths, strict=True), key=lambda pair: -pair[1]):
        lines.insert(round(len(lines) * depth / 100), fact)
    return {"prompt": "\n".join([start, "", *lines, "", end]), "answer": list(answers)}


def _facts(rng: Random, number: int, language: str) -> tuple[list[str], list[str], list[str]]:
    """Invented places, their treasures, and the sentences that tell of them."""
    words = [word.capitalize() for word in new_words(rng, number)]
    if language == "English":
        things = [f"{rng.choice(vocabulary('adjectives'))} {noun}" for noun in rng.sample(vocabulary("nouns"), number)]
        places = words
    else:
        things = rng.sample(vocabulary("chinese_nouns"), number)
        places = [f"{word}城" for word in words]
    fact = _WORDINGS[language]["fact"]
    return places, things, [fact.format(place=place, thing=thing) for place, thing in zip(places, things, strict=True)]
