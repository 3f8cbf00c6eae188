"""The groups that come with the product are made of datasets, and of metrics, that there are."""

from tasks.report.summary.groups import parse_group
from tasks.spec.config.bases import PACKAGED_CONFIGS
from tasks.spec.config.lookup import load_named


def _abbrs() -> set[str]:
    stems = {file.stem for file in (PACKAGED_CONFIGS / "datasets").rglob("*_*.py")}
    return {entry.abbr for name in stems for entry in load_named("datasets", [name])}


def test_every_member_of_a_group_is_a_data_set_or_an_earlier_group() -> None:
    known, groups = _abbrs(), load_named("summarizers", ["example"])["summary_groups"]
    for number, config in enumerate(groups):
        group = parse_group(config, number)
        assert {name for name, _ in group.subsets} <= known, group.name
        assert {key.partition("@")[0] for key in group.weights} <= {name for name, _ in group.subsets}
        known.add(group.name)
    names = {group["name"] for group in groups}
    assert {"longbench", "lawbench-0-shot", "needlebench_4k", "ruler_128k", "flores_100", "ocnli_fc"} <= names
