"""Collections and their summarizers: every row of a table is asked by a collection, every group has its members."""

import pytest
from support.known_data import packaged_specs

from tasks.data.known_data import data_key, known_splits
from tasks.report.summary.groups import Group, parse_group
from tasks.spec.config.lookup import load_named

TABLES = {
    "chat_OC15": ("chat_OC15",),
    "small": ("base_small", "chat_small"),
    "medium": ("base_medium", "chat_medium"),
}


def _groups(summarizer: str) -> dict[str, Group]:
    entries = load_named("summarizers", [summarizer])["summary_groups"]
    return {group.name: group for group in (parse_group(entry, index) for index, entry in enumerate(entries))}


@pytest.mark.parametrize("summarizer", TABLES)
def test_every_row_of_a_table_is_a_data_set_of_its_collections_or_a_group_of_them(summarizer: str):
    asked = {entry["abbr"] for name in TABLES[summarizer] for entry in load_named("datasets", [name])}
    groups = _groups(summarizer)
    for row in load_named("summarizers", [summarizer])["dataset_abbrs"]:
        name = row if isinstance(row, str) else row[0]
        if name and not name.startswith("---"):
            assert name in asked or {member for member, _ in groups[name].subsets} <= asked | set(groups), name


@pytest.mark.parametrize(
    ("group", "config"),
    [
        ("mmlu", "mmlu_gen"),
        ("mmlu", "mmlu_ppl"),
        ("mmlu_pro", "mmlu_pro_gen"),
        ("ceval", "ceval_gen"),
        ("cmmlu", "cmmlu_gen"),
        ("bbh", "bbh_gen"),
        ("agieval", "agieval_gen"),
        ("GaokaoBench", "GaokaoBench_gen"),
        ("mgsm", "mgsm_gen"),
    ],
)
def test_a_group_is_all_of_its_benchmark(group: str, config: str):
    members = [name for name, _ in _groups("example")[group].subsets]
    assert sorted(members) == sorted(entry["abbr"] for entry in load_named("datasets", [config]))


@pytest.mark.parametrize("benchmark", ["mmlu", "ceval", "cmmlu"])
def test_four_fields_share_the_subjects_of_an_exam(benchmark: str):
    groups = _groups("example")
    fields = [groups[f"{benchmark}-{field}"] for field in ("stem", "social-science", "humanities", "other")]
    assert sorted(subset for field in fields for subset in field.subsets) == sorted(groups[benchmark].subsets)


@pytest.mark.parametrize(("group", "config"), [("mmlu-weighted", "mmlu_gen"), ("mmlu_pro-weighted", "mmlu_pro_gen")])
def test_weights_are_the_published_numbers_of_questions(group: str, config: str):
    questions = {spec.abbr: known_splits()[data_key(spec)][0].rows for spec in packaged_specs(config)}
    assert dict(_groups("example")[group].weights) == questions
