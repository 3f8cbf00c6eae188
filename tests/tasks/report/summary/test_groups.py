"""What a summary group makes of its subsets."""

from typing import Any

import pytest

from tasks.report.stats.mixtures import Means
from tasks.report.stats.weighted_sums import Mean
from tasks.report.summary.groups import compute_group, misspelt_members, parse_group
from tasks.spec.findings import UserError

TWO = {"a": {"accuracy": 60.0}, "b": {"accuracy": 80.0}}


def _metrics(values: dict[str, Any] = TWO, **config: Any) -> dict[str, float]:
    group = parse_group({"name": "g", "subsets": ["a", "b"], **config}, 0)
    return dict(compute_group(group, values).metrics)


@pytest.mark.parametrize(
    ("config", "name", "value"),
    [
        ({}, "naive_average", 70.0),
        ({"weights": {"a": 1, "b": 3}}, "weighted_average", 75.0),
        ({"std": True}, "standard_deviation", 10.0),
        ({"harmonic_mean": True}, "harmonic_mean", 68.571),
        ({"sum": True}, "sum", 140.0),
    ],
)
def test_operations(config: dict[str, Any], name: str, value: float) -> None:
    metrics = _metrics(**config)
    assert metrics == pytest.approx({name: value, "accuracy": value}, abs=1e-3)
    assert next(iter(metrics)) == name


@pytest.mark.parametrize(
    ("config", "value"), [({"std": True}, 10.0), ({"sum": True}, 140.0), ({"harmonic_mean": True}, 68.571)]
)
def test_a_metric_is_only_a_name(config: dict[str, Any], value: float) -> None:
    assert _metrics(metric="mine", **config)["mine"] == pytest.approx(value, abs=1e-3)


def test_the_first_of_several_flags_counts() -> None:
    assert next(iter(_metrics(sum=True, std=True, weights={"a": 1, "b": 1}))) == "standard_deviation"


def test_pairs_name_their_metric() -> None:
    values = {"a": {"f1": 1.0, "accuracy": 60.0}, "b": {"score": 80.0}}
    assert _metrics(values, subsets=[["a", "accuracy"], ["b", "score"]]) == {"naive_average": 70.0}


def test_weights_and_transforms_by_metric() -> None:
    subsets = [["a", "accuracy"], ["b", "accuracy"]]
    weights, transforms = {"a@accuracy": 1, "b": 3}, {"a@accuracy": "100 - x", "b": "x / 2"}
    assert _metrics(subsets=subsets, weights=weights, transforms=transforms) == {"weighted_average": 40.0}


def test_metrics_that_all_subsets_have() -> None:
    values = {"a": {"accuracy": 60.0, "f1": 1.0, "x": 0.0}, "b": {"f1": 3.0, "accuracy": 80.0}}
    assert _metrics(values) == {"accuracy": 70.0, "f1": 2.0}
    assert _metrics(values, mixed=True) == {"naive_average": 31.5, "accuracy": 70.0, "f1": 2.0}


def test_missing_subsets() -> None:
    group = parse_group({"name": "g", "subsets": ["a", "b"]}, 0)
    some = compute_group(group, {"a": {"accuracy": 1.0}})
    assert (some.metrics, some.reason, some.is_absent) == ({}, "missing metrics: b", False)
    assert compute_group(group, {}).is_absent


def test_many_missing_subsets_are_counted() -> None:
    group = parse_group({"name": "g", "subsets": [f"part_{number}" for number in range(57)]}, 0)
    reason = compute_group(group, {"part_0": {"accuracy": 1.0}}).reason
    assert reason == "missing metrics: part_1, part_2, part_3, part_4, part_5 and 51 more"


@pytest.mark.parametrize(
    ("subsets", "datasets", "found"),
    [
        (["sums", "facts"], ["sums", "facts"], []),
        (["sumz", "facts"], ["sums", "facts"], [(0, "sumz", "sums")]),
        (["sumz", "factz"], ["sums", "facts"], []),
        (["mmlu_physics", "mmlu_law", "mmlu_logic"], ["mmlu_law"], []),
        (
            ["mmlu_physics", "mmlu_law", "mmlu_logic"],
            ["mmlu_law", "mmlu_phisics"],
            [(0, "mmlu_physics", "mmlu_phisics")],
        ),
        (["other", "facts"], ["sums", "facts"], []),
    ],
)
def test_misspelt_members(subsets: list[str], datasets: list[str], found: list[tuple[int, str, str]]) -> None:
    """A group of which the run asks a part only is none of them: its benchmarks have names like each other."""
    group = parse_group({"name": "g", "subsets": subsets}, 0)
    assert list(misspelt_members([group], datasets)) == found


def _terms(means: dict[str, Means], **config: Any) -> dict[tuple[str, str], Any]:
    result = compute_group(parse_group({"name": "g", "subsets": ["a", "b"], **config}, 0), TWO, means)
    parts = result.parts.get(next(iter(result.metrics)), {})
    return {key: pytest.approx(term.weight) for key, term in parts.items()}


PERCENT: dict[str, Means] = {
    "a": {"accuracy": Mean(60, 3.0, 100, 50, is_share=True)},
    "b": {"accuracy": Mean(80, 4.0, 100, 50, is_share=True)},
}


def test_what_means_and_sums_are_made_of() -> None:
    a, b = ("a", "accuracy"), ("b", "accuracy")
    assert _terms(PERCENT) == {a: 0.5, b: 0.5}
    assert _terms(PERCENT, sum=True) == {a: 1, b: 1}
    assert _terms(PERCENT, weights={"a": 3, "b": 1}) == {a: 0.75, b: 0.25}
    assert _terms(PERCENT, std=True) == _terms(PERCENT, transforms={"a": "100 - x"}) == _terms({}) == {}


def test_what_two_members_share_is_one_term() -> None:
    inner = compute_group(parse_group({"name": "inner", "subsets": ["a", "b"]}, 0), TWO, PERCENT)
    values, means = {**TWO, "inner": inner.metrics}, {**PERCENT, "inner": inner.parts}
    outer = compute_group(parse_group({"name": "g", "subsets": ["inner", "a"]}, 1), values, means)
    weights = {name: term.weight for (name, _), term in outer.parts["naive_average"].items()}
    assert weights == pytest.approx({"a": 0.75, "b": 0.25})


@pytest.mark.parametrize(
    ("first", "second", "config", "refused"),
    [
        (Mean(60, 1, 100, 50, is_share=True), Mean(0.3, 0.1, 1, 50, is_share=True), {}, True),  # two scales
        (Mean(60, 1, 100, 50, is_share=True), Mean(0.3, 0.1, 1, 50), {"subsets": [["a", "m"], ["b", "n"]]}, True),
        (Mean(60, 1, 100, 50, is_share=True), Mean(30, 1, 100, 50, is_share=True), {}, False),  # shares by any name
        (Mean(60, 1, 100, 50, is_share=True), Mean(30, 1, 100, 50), {}, True),
        (Mean(60, 1), Mean(30, 1), {}, True),
        (Mean(60, 1), Mean(30, 1), {"std": True}, True),
        (Mean(60, 1), Mean(30, 1), {"subsets": [["a", "m"], ["b", "n"]]}, False),
        (Mean(60, 1), Mean(30, 1), {"mixed": True}, False),
        (Mean(60, 1), Mean(30, 1), {"transforms": {"b": "100 - x"}}, False),
    ],
)
def test_what_does_not_mix(first: Mean, second: Mean, config: dict[str, Any], refused: bool) -> None:
    values = {"a": {"m": first.value}, "b": {"n": second.value}}
    group = parse_group({"name": "g", "subsets": ["a", "b"], **config}, 0)
    result = compute_group(group, values, {"a": {"m": first}, "b": {"n": second}})
    assert bool(result.refused) is refused
    assert bool(result.metrics) is not refused


def test_a_mixture_of_scales_names_them() -> None:
    values = {name: {"score": 1.0} for name in "abcdefgh"}
    means: dict[str, Means] = {name: {"score": Mean(1, 1, 100, 9)} for name in "abcdefg"}
    result = compute_group(
        parse_group({"name": "g", "subsets": list("abcdefgh")}, 0), values, means | {"h": {"score": Mean(1, 1, 1, 9)}}
    )
    said = "score (0 to 100) of a, b, c, d, e and 2 more; score (0 to 1) of h"
    assert said in result.refused["naive_average"]


def test_the_average_of_repeats_is_the_metric_it_averages() -> None:
    values = {"a": {"accuracy (4 runs average)": 60.0}, "b": {"accuracy": 80.0}}
    assert _metrics(values) == {"naive_average": 70.0}


def test_a_value_that_is_not_positive_counts_as_one() -> None:
    assert _metrics({"a": {"m": 0.0}, "b": {"m": 1.0}}, harmonic_mean=True)["harmonic_mean"] == 1.0


def test_a_transform_without_a_value_is_a_reason() -> None:
    group = parse_group({"name": "g", "subsets": ["a"], "transforms": {"a": "1 / (x - 60)"}}, 0)
    assert "has no value for x=60.0" in compute_group(group, TWO).reason


def test_a_missing_weight_is_a_reason() -> None:
    group = parse_group({"name": "g", "subsets": ["a", "b"], "weights": {"a": 1}}, 0)
    assert compute_group(group, TWO).reason == "weights has no entry for 'b'"


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"name": "g"}, r"summary_groups\[3\]: a summary group needs 'subsets'"),
        ({"name": "g", "subsets": ["a"], "weigths": {}}, "did you mean 'weights'"),
        ({"name": "g", "subsets": ["a", ["b", "m"]]}, "subsets mix"),
        ({"name": "g", "subsets": ["a"], "mixed": "yes"}, r"\.mixed: mixed is True or False, not 'yes'"),
        ({"name": "g", "subsets": [1]}, "not 1"),
        ({"name": "g", "subsets": ["a"], "transforms": {"a": "open('x')"}}, r"transforms\.a.*not allowed"),
    ],
)
def test_bad_groups(config: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_group(config, 3)
