"""RULER: what a model finds, follows and counts in a long context (Hsieh et al. 2024, arXiv:2404.06654).

The contexts are generated: tasks and their measures are the benchmark's, texts and wordings are ours. Rows have
`prompt` and `answer`, the texts to be named. `max_seq_length` counts estimated tokens, those of the answer included.
"""

from collections.abc import Callable, Sequence
from itertools import count, islice, pairwise
from random import Random
from typing import Any

from tasks.data.generated.text import (
    estimated_tokens,
    filler,
    full_name,
    kept,
    new_value,
    new_values,
    new_words,
    vocabulary,
)
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, UserError

Rows = Sequence[dict[str, Any]]
_MEASURED = 20
"""Needles whose sizes stand for those of all others."""
_NOISE = "Clouds come and clouds go. The clock ticks on. Water runs downhill. So the day passes, and then another."


class RulerNiahDataset(BaseDataset):
    """Needles: values of keys stand somewhere in the context, those of some keys are asked for."""

    @staticmethod
    def load(
        max_seq_length: int = 4096,
        num_samples: int = 100,
        random_seed: int = 42,
        tokens_to_generate: int = 128,
        num_needle_k: int = 1,
        num_needle_v: int = 1,
        num_needle_q: int = 1,
        type_haystack: str = "essay",
        type_needle_k: str = "words",
        type_needle_v: str = "numbers",
    ) -> Rows:
        """`type_haystack`: `essay`, `repeat` (one paragraph over and over) or `needle` (values of other keys)."""
        keys_needed = max(num_needle_k, num_needle_q)

        def row(rng: Random, room: int) -> dict[str, Any]:
            keys = new_values(rng, type_needle_k, keys_needed)
            values = [new_values(rng, type_needle_v, num_needle_v) for _ in keys]
            needles = [
                _needle(key, value, type_needle_v) for key, own in zip(keys, values, strict=True) for value in own
            ]
            asked = rng.sample(range(keys_needed), num_needle_q)
            question = _question([keys[index] for index in asked], type_needle_v, several=num_needle_v > 1)
            left = room - estimated_tokens("\n".join([*needles, *question]))
            hay = _haystack(rng, left, type_haystack, (type_needle_k, type_needle_v))
            text = "\n".join([question[0], _hidden(rng, hay, needles), question[1]])
            return {"prompt": text, "answer": [value for index in asked for value in values[index]]}

        return _samples(row, num_samples, random_seed, max_seq_length - tokens_to_generate)


class RulerVtDataset(BaseDataset):
    """Variables: one gets a number, others get it from each other; all that have it are asked for."""

    @staticmethod
    def load(
        max_seq_length: int = 4096,
        num_samples: int = 100,
        random_seed: int = 42,
        tokens_to_generate: int = 30,
        num_chains: int = 1,
        num_hops: int = 4,
    ) -> Rows:
        """`num_hops` assignments after the first in each of `num_chains` chains; the first chain is asked for."""

        def row(rng: Random, room: int) -> dict[str, Any]:
            names = [name.upper() for name in new_words(rng, num_chains * (num_hops + 1))]
            chains = [names[start : start + num_hops + 1] for start in range(0, len(names), num_hops + 1)]
            values = [str(rng.randint(10_000, 99_999)) for _ in chains]
            lines = [_assignments(chain, value) for chain, value in zip(chains, values, strict=True)]
            start = "Follow how variables get their values in the text below."
            end = (
                f"Which {num_hops + 1} variables have the value {values[0]}, directly or through another variable? "
                "Reply with their names only."
            )
            used = estimated_tokens("\n".join([start, end, *(line for chain in lines for line in chain)]))
            noise = [_NOISE] * max(1, (room - used) // estimated_tokens(_NOISE))
            for chain in lines:
                noise = _interleaved(rng, noise, chain)
            return {"prompt": "\n".join([start, *noise, end]), "answer": chains[0]}

        return _samples(row, num_samples, random_seed, max_seq_length - tokens_to_generate)


class RulerCweDataset(BaseDataset):
    """Common words: ten words occur far more often in a list than the others."""

    @staticmethod
    def load(
        max_seq_length: int = 4096,
        num_samples: int = 100,
        random_seed: int = 42,
        tokens_to_generate: int = 120,
        freq_cw: int = 30,
        freq_ucw: int = 3,
        num_cw: int = 10,
    ) -> Rows:
        """`num_cw` words occur `freq_cw` times, all others `freq_ucw` times."""

        def row(rng: Random, room: int) -> dict[str, Any]:
            start = "Below is a numbered list of words. Some occur far more often than the others."
            end = f"Which {num_cw} words occur most often in the list? Reply with these words only."
            per_entry = estimated_tokens("1000. word")
            left = (room - estimated_tokens(start + end)) // per_entry - num_cw * freq_cw
            words = new_words(rng, num_cw + max(left // freq_ucw, num_cw), syllables=2 if left < 3000 else 3)
            common = words[:num_cw]
            entries = common * freq_cw + words[num_cw:] * freq_ucw
            rng.shuffle(entries)
            numbered = " ".join(f"{number}. {word}" for number, word in enumerate(entries, 1))
            return {"prompt": f"{start}\n{numbered}\n{end}", "answer": common}

        return _samples(row, num_samples, random_seed, max_seq_length - tokens_to_generate)


class RulerFweDataset(BaseDataset):
    """Frequent words: coded words whose frequencies follow a power law; the three most frequent are asked for."""

    @staticmethod
    def load(
        max_seq_length: int = 4096,
        num_samples: int = 100,
        random_seed: int = 42,
        tokens_to_generate: int = 50,
        alpha: float = 2.0,
        coded_wordlen: int = 6,
    ) -> Rows:
        """The k-th word occurs `k ** -alpha` times as often as the first, which is a row of dots and does not count."""

        def row(rng: Random, room: int) -> dict[str, Any]:
            start = "Read this coded text and keep count of its words."
            end = "Which three words occur most often in it? Dots are no word. Reply with the three words only."
            vocabulary_size = max(room // 50, 10)
            words = ["...", *new_words(rng, vocabulary_size, syllables=coded_wordlen // 2)]
            shares = [rank**-alpha for rank in range(1, len(words) + 1)]
            sizes = [estimated_tokens(words[0]), *[estimated_tokens(words[1])] * vocabulary_size]
            per_share = (room - estimated_tokens(start + end)) / sum(
                share * size for share, size in zip(shares, sizes, strict=True)
            )
            text = [word for share, word in zip(shares, words, strict=True) for _ in range(int(share * per_share))]
            rng.shuffle(text)
            return {"prompt": f"{start}\n{' '.join(text)}\n{end}", "answer": words[1:4]}

        return _samples(row, num_samples, random_seed, max_seq_length - tokens_to_generate)


class RulerQaDataset(BaseDataset):
    """Questions: one of many short documents about people that do not exist has the answer; with two hops, two have."""

    @staticmethod
    def load(
        max_seq_length: int = 4096,
        num_samples: int = 100,
        random_seed: int = 42,
        tokens_to_generate: int = 50,
        hops: int = 1,
    ) -> Rows:
        """`hops` documents take part in the answer, 1 or 2."""

        def row(rng: Random, room: int) -> dict[str, Any]:
            start = "Answer the question from the documents below. Reply with the answer only."
            people = _people(rng, room - estimated_tokens(start) - 40)
            hero, guide = people[0], people[1]
            facts = [
                f"{person['name']} is a {person['trade']} from {person['town']}."
                + (f" {person['name']} learned it from {guide['name']}." if person is hero else "")
                for person in people
            ]
            question = f"Where does {hero['name']} come from?"
            answer = hero["town"]
            if hops > 1:
                question = f"Where does the person come from of whom {hero['name']} learned a trade?"
                answer = guide["town"]
            order = rng.sample(range(len(facts)), len(facts))
            documents = "\n".join(f"Document {place}: {facts[index]}" for place, index in enumerate(order, 1))
            return {"prompt": f"{start}\n\n{documents}\n\nQuestion: {question}\nAnswer:", "answer": [answer]}

        return _samples(row, num_samples, random_seed, max_seq_length - tokens_to_generate)


def _samples(row: Callable[[Random, int], dict[str, Any]], number: int, seed: int, room: int) -> Rows:
    """Each row has random numbers of its own, so that fewer rows are the first ones of more."""
    return kept((row(Random(f"{seed}/{place}"), room) for place in range(number)), number * room)


def _needle(key: str, value: str, kind: str) -> str:
    return f"Note well: one of the secret {kind} of {key} is {value}."


def _question(keys: list[str], kind: str, *, several: bool) -> tuple[str, str]:
    """What stands before and behind the context."""
    named = keys[0] if len(keys) == 1 else f"{', '.join(keys[:-1])} and {keys[-1]}"
    many = several or len(keys) > 1
    start = f"Secret {kind} stand somewhere in the text below. Remember them."
    asked = f"are all the secret {kind}" if many else f"is the secret {kind[:-1]}"
    return start, f"What {asked} of {named} in the text above? Reply with nothing else."


def _haystack(rng: Random, room: int, kind: str, needle_kinds: tuple[str, str]) -> list[str]:
    """Sentences that fill the room."""
    if kind == "essay":
        return filler(room, rng)
    if kind == "repeat":
        return [_NOISE] * max(1, room // estimated_tokens(_NOISE))
    if kind != "needle":
        raise UserError(Finding(f"there is no type_haystack={kind!r}", remedy="valid are essay, repeat, needle"))
    made = (_needle(new_value(rng, needle_kinds[0]), new_value(rng, needle_kinds[1]), needle_kinds[1]) for _ in count())
    first = [next(made) for _ in range(_MEASURED)]
    size = max(map(estimated_tokens, first))
    return [*first, *islice(made, max(room // size - len(first), 0))][: max(room // size, 1)]


def _hidden(rng: Random, hay: list[str], needles: list[str]) -> str:
    """The needles at random places between the sentences."""
    places = sorted(rng.choices(range(len(hay) + 1), k=len(needles)), reverse=True)
    text = list(hay)
    for place, needle in zip(places, rng.sample(needles, len(needles)), strict=True):
        text.insert(place, needle)
    return "\n".join(text)


def _assignments(chain: list[str], value: str) -> list[str]:
    first = f"VAR {chain[0]} = {value}"
    return [first, *(f"VAR {name} = VAR {before}" for before, name in pairwise(chain))]


def _interleaved(rng: Random, lines: list[str], chain: list[str]) -> list[str]:
    """The chain's lines in their order at random places between the others."""
    places = sorted(rng.choices(range(len(lines) + 1), k=len(chain)))
    text = list(lines)
    for shift, (place, line) in enumerate(zip(places, chain, strict=True)):
        text.insert(place + shift, line)
    return text


def _people(rng: Random, room: int) -> list[dict[str, str]]:
    """People with different names and towns, two at least, about as many as the room holds documents of."""
    per_document = estimated_tokens("Document 100: Rosalind Underhill is a glassblower from Bananaburg.") + 1
    number = max(2, room // per_document)
    towns = [f"{word.capitalize()}{rng.choice(('burg', 'ton', 'ville'))}" for word in new_words(rng, number)]
    names: dict[str, None] = {}
    while len(names) < number:
        names[f"{full_name(rng)} {_roman(len(names) // 500)}".strip()] = None
    return [
        {"name": name, "town": town, "trade": rng.choice(vocabulary("trades"))}
        for name, town in zip(names, towns, strict=True)
    ]


def _roman(number: int) -> str:
    """So that names do not run out: `II`, `III`, … after 500 of each."""
    return "" if number == 0 else "I" * (number % 3 + 1) + "V" * (number // 3)
