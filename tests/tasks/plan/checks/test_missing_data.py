"""Data of many subjects that are missing in one place are one finding."""

from support.dataset_specs import dataset_spec

from tasks.plan.checks.missing_data import merged_findings
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import DatasetSpec


def _spec(name: str, path: str = "opencompass/mmlu") -> DatasetSpec:
    spec = dataset_spec("tasks.data.benchmarks.mmlu.MMLUDataset", arguments={"path": path, "name": name})
    return spec.model_copy(update={"abbr": name})


def _absent(name: str) -> Finding:
    return Finding(f"no data of {name}", remedy="put it there", kind=FindingKind.MACHINE)


def test_subjects_that_lack_the_same_are_told_of_once():
    names = ["anatomy", "astronomy", "logic", "law", "history"]
    (finding,) = merged_findings([(_spec(name), _absent(name)) for name in names])
    assert finding.message == "no data of anatomy; nor is there what astronomy, logic, law and 1 more need"
    assert finding.remedy == "put it there"


def test_other_places_and_faults_of_the_configuration_stay():
    fault = Finding("there is no split 'tset'")
    missing = [(_spec("a"), _absent("a")), (_spec("b", "elsewhere"), _absent("b"))]
    found = [*missing, (_spec("c"), fault), (_spec("d"), fault)]
    assert merged_findings(found) == [finding for _, finding in found]
