"""Long contexts are made of a seed: the same everywhere, as long as asked, with what is asked for in them."""

from typing import Any

import pytest

from tasks.data.fingerprint import rows_digest
from tasks.data.generated import needlebench, ruler
from tasks.data.generated.text import estimated_tokens
from tasks.spec.findings import UserError

RULER: list[tuple[Any, dict[str, Any]]] = [
    (ruler.RulerNiahDataset, {"type_haystack": "repeat"}),
    (ruler.RulerNiahDataset, {"type_needle_v": "uuids"}),
    (ruler.RulerNiahDataset, {"type_haystack": "needle", "type_needle_k": "uuids", "type_needle_v": "uuids"}),
    (ruler.RulerNiahDataset, {"num_needle_v": 4}),
    (ruler.RulerNiahDataset, {"num_needle_q": 4}),
    (ruler.RulerVtDataset, {"num_chains": 2}),
    (ruler.RulerCweDataset, {}),
    (ruler.RulerFweDataset, {}),
    (ruler.RulerQaDataset, {"hops": 1}),
    (ruler.RulerQaDataset, {"hops": 2}),
]
NEEDLES = [
    needlebench.NeedleBenchOriginDataset,
    needlebench.NeedleBenchParallelDataset,
    needlebench.NeedleBenchMultiDataset,
]


@pytest.mark.parametrize(("loader", "arguments"), RULER)
@pytest.mark.parametrize("length", [4096, 32768])
def test_ruler(loader: Any, arguments: dict[str, Any], length: int) -> None:
    rows = loader.load(max_seq_length=length, num_samples=3, **arguments)
    assert list(loader.load(max_seq_length=length, num_samples=2, **arguments)) == rows[:2]
    assert len({row["prompt"] for row in rows}) == 3
    for row in rows:
        assert row["answer"] and all(answer in row["prompt"] for answer in row["answer"])
        assert len(set(row["answer"])) == len(row["answer"])
        assert 0.7 * length < estimated_tokens(row["prompt"]) <= length


def test_another_seed_makes_other_rows() -> None:
    first, other = (ruler.RulerVtDataset.load(num_samples=1, random_seed=seed) for seed in (1, 2))
    assert first[0] != other[0]


def test_the_common_words_are_the_most_frequent_ones() -> None:
    for loader in (ruler.RulerCweDataset, ruler.RulerFweDataset):
        (row,) = loader.load(num_samples=1)
        words = [word for word in row["prompt"].split("\n")[1].split() if word.isalpha()]
        frequent = sorted(set(words), key=lambda word: -words.count(word))[: len(row["answer"])]
        assert set(frequent) == set(row["answer"])


def test_two_hops_lead_to_the_answer() -> None:
    (row,) = ruler.RulerQaDataset.load(num_samples=1, hops=2)
    question = row["prompt"].split("Question: ")[1]
    pupil = question.split("of whom ")[1].split(" learned")[0]
    teacher = row["prompt"].split(f"{pupil} learned it from ")[1].split(".")[0]
    assert f"{teacher} is a" in row["prompt"]
    assert row["prompt"].split(f"{teacher} is a")[1].split("from ")[1].split(".")[0] == row["answer"][0]


@pytest.mark.parametrize("loader", NEEDLES)
@pytest.mark.parametrize("language", ["English", "Chinese"])
def test_needles(loader: Any, language: str) -> None:
    rows = loader.load(length=4000, language=language)
    assert list(loader.load(length=4000, language=language)) == list(rows)
    for row in rows:
        assert all(answer in row["prompt"] for answer in row["answer"])
        assert 3500 < estimated_tokens(row["prompt"]) <= 4000


def test_a_needle_stands_where_it_should() -> None:
    rows = [needlebench.NeedleBenchOriginDataset.load(length=4000, depth=depth)[0] for depth in (0, 50, 100)]
    places = [row["prompt"].index("hidden treasure") / len(row["prompt"]) for row in rows]
    assert places == pytest.approx([0, 0.5, 1], abs=0.06)


@pytest.mark.parametrize(
    ("loader", "arguments", "message"),
    [
        (ruler.RulerNiahDataset, {"type_haystack": "straw"}, "valid are essay, repeat, needle"),
        (ruler.RulerNiahDataset, {"type_needle_k": "colours"}, "valid are numbers, uuids, words"),
        (needlebench.NeedleBenchMultiDataset, {"language": "Latin"}, "valid are 'English', 'Chinese'"),
    ],
)
def test_what_cannot_be_made_is_named(loader: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        loader.load(**arguments)


def test_rows_are_the_same_on_every_machine() -> None:
    """Scores of different machines and years can only be compared while these digests stay."""
    rows = [
        *(loader.load(num_samples=2, **arguments) for loader, arguments in RULER),
        *(loader.load(length=4000, language="Chinese") for loader in NEEDLES),
    ]
    assert rows_digest([row for split in rows for row in split])[:16] == "892eda1da9cc8f0c"
