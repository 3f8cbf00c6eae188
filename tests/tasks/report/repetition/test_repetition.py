"""What counts as endless repetition."""

import random
from pathlib import Path

import pytest

from flows.tools.runs.analyze_repeat import main
from tasks.report.repetition.analysis import analyse_repeats
from tasks.report.repetition.rules import find_repetition, words
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json, write_json

_RANDOM = random.Random(3)
PROSE = " ".join(_RANDOM.choice(["alpha", "beta", "gamma", "delta", "eps"]) + str(_RANDOM.random()) for _ in range(900))
LINE = "the sum of the two numbers is again the same as it was in the step before , so we add them once more : "


@pytest.mark.parametrize(
    ("text", "is_pattern", "is_compressed"),
    [
        (PROSE, False, False),
        (PROSE[:1500] + LINE * 45, True, False),
        (LINE * 2000, True, True),
        (LINE * 15, False, False),
        ("a" * 200_000, False, True),
        ("", False, False),
    ],
)
def test_both_rules(text: str, is_pattern: bool, is_compressed: bool) -> None:
    found = find_repetition(text, words(text))
    assert (found.by_pattern, found.by_compression) == (is_pattern, is_compressed)


def test_the_ratio_is_the_share_of_the_second_half() -> None:
    text = PROSE + LINE * 200
    found = find_repetition(text, words(text))
    half = len(words(text)) // 2
    assert found.count == pytest.approx(half / len(words(LINE)), abs=3)
    assert found.ratio == 1.0


def test_only_the_second_half_counts() -> None:
    text = LINE * 100 + PROSE * 4
    assert not find_repetition(text, words(text)).by_pattern


def test_irregular_occurrences_are_no_loop() -> None:
    refrain = list(range(32))
    tokens = [token for verse in range(60) for token in refrain + [1000 + verse * 200 + n for n in range(verse)]]
    assert find_repetition("", [0] * len(tokens) + tokens + refrain).count == 0


def test_the_command_tells_reasoning_from_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = RunFolder(tmp_path)
    records = {"0": {"prediction": f"<think>{LINE * 400}</think>The answer is 4."}, "1": {"prediction": "4"}}
    write_json(folder.predictions(Pair("m", "a")).with_name("a_0.json"), records)
    assert main([str(tmp_path), "--out", str(tmp_path / "found.json"), "--no-progress", "--batch-size", "8"]) == 0
    found = read_json(tmp_path / "found.json")
    stats = {stats["part"]: stats["by_pattern"] for stats in found["benchmark_stats"]}
    assert stats == {"answer": 1, "reasoning": 1, "content": 0}
    assert [sample["index"] for sample in found["abnormal_samples"]] == [0, 0]
    assert "Overall" in capsys.readouterr().out
    with pytest.raises(UserError, match="no predictions"):
        main([str(tmp_path), "--model", "x"])


def test_stored_lengths_are_used(tmp_path: Path) -> None:
    folder, pair = RunFolder(tmp_path), Pair("m", "a")
    write_json(folder.predictions(pair), {"0": {"prediction": "a b c", "res_length": 70}})
    assert analyse_repeats(folder, [pair], {}).pairs[0].lengths == [70]
