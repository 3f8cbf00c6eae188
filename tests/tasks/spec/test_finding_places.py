import pytest
from support.dataset_specs import dataset_spec

from tasks.spec.finding_places import findings_at, place_in
from tasks.spec.findings import Finding, Place, UserError


def test_a_finding_without_a_place_gets_one_and_its_own_place_wins() -> None:
    own = Place("data.jsonl", 7)
    with pytest.raises(UserError) as error, findings_at(Place("config.py", 3)):
        raise UserError([Finding("no place"), Finding("has one", own)])
    assert [finding.place for finding in error.value.findings] == [Place("config.py", 3), own]


def test_a_key_within_a_dataset_is_named_with_the_dataset() -> None:
    assert str(place_in(dataset_spec(), "infer_cfg.retriever")) == "sums.infer_cfg.retriever"
    placed = dataset_spec().model_copy(update={"place": Place("config.py", 3, "datasets[0]")})
    assert str(place_in(placed, "infer_cfg")) == "config.py:3: datasets[0].infer_cfg"
