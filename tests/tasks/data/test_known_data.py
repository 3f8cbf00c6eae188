"""Rows that are not those of the published benchmark are told of."""

import pytest
from support.dataset_specs import dataset_spec
from support.known_data import loadable, packaged_specs
from support.shared_data import shared_data

from tasks.data.interface import LoadedDataset
from tasks.data.known_data import known_splits, unknown_data
from tasks.spec.findings import FindingKind

GSM8K = dataset_spec("tasks.data.benchmarks.gsm8k.GSM8KDataset", arguments={"path": "/anywhere"})


def _data(count: int, digest: str = "0123") -> LoadedDataset:
    rows = [{"question": "q", "answer": "a"}] * count
    return LoadedDataset(rows, rows, "fingerprint", digest)


def test_the_published_rows_pass_wherever_they_lie() -> None:
    ((rows, digest),) = known_splits()["GSM8KDataset"]
    assert rows == 1319
    assert unknown_data([(GSM8K, _data(rows, digest + "ffff"))]) == []


def test_other_rows_are_a_warning_that_says_what_differs() -> None:
    (fewer,) = unknown_data([(GSM8K, _data(1318))])
    assert fewer.kind is FindingKind.WARNING
    assert "1,318 rows in place of 1,319" in fewer.message
    (other,) = unknown_data([(GSM8K, _data(1319))])
    assert "1,319 rows of another content" in other.message


def test_where_no_copy_was_at_hand_the_rows_are_counted() -> None:
    siqa = dataset_spec("tasks.data.benchmarks.siqa.siqaDataset_V3")
    assert unknown_data([(siqa, _data(1954))]) == []
    assert len(unknown_data([(siqa, _data(3))])) == 1


def test_rows_of_ones_own_are_nobodys_benchmark() -> None:
    assert unknown_data([(dataset_spec(), _data(3))]) == []


def test_many_sets_of_one_kind_are_one_warning() -> None:
    tasks = ["navigate", "snarks", "hyperbaton", "word_sorting", "web_of_lies"]
    specs = [dataset_spec("tasks.data.benchmarks.bbh.BBHDataset", arguments={"name": task}) for task in tasks]
    (warning,) = unknown_data([(spec, _data(2)) for spec in specs])
    assert warning.message.count("2 rows in place of") == 3
    assert warning.message.endswith("and 2 more")


def test_the_files_beside_the_checkout_are_the_published_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of a loader: `python -P -m support.known_data` writes the digests anew."""
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))
    loaded = list(loadable(packaged_specs("gsm8k_gen", "piqa_ppl", "winogrande_ppl", "IFEval_gen", "bbh_gen")))
    assert len(loaded) == 31
    assert unknown_data(loaded) == []
