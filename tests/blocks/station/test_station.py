"""What every kind of station keeps and gives back."""

import pytest
from support.stations import identity, result, save

from blocks.station.entry import StationError
from blocks.station.opening import open_station
from tasks.spec.storage.run_folder import Pair


def test_a_result_comes_back_as_it_was(address: str):
    station = open_station(address)
    assert station.findings() == []
    assert station.headers([Pair("adder", "sums")]) == []
    assert [saved.fate for saved in save(station, result(), result(dataset="more"), samples=True)] == ["saved"] * 2
    [header] = station.headers([Pair("adder", "sums"), Pair("nobody", "sums")])
    assert header.pair == Pair("adder", "sums") and header.identity == identity()
    assert (header.run, header.samples, header.errors) == ("20260101_000000", 4, 0)
    loaded = station.load(header.pair, header.identity)
    assert loaded["accuracy"] == 90.0 and loaded["compass"] == {"samples": {"n": 4}}
    assert [detail["pred"] for detail in loaded["details"]] == ["0", "1", "2", "3"]
    assert station.findings() == []


def test_what_is_there_stays_unless_it_is_to_be_overwritten(address: str):
    station = open_station(address)
    save(station, result())
    assert [saved.fate for saved in save(station, result())] == ["same"]
    [kept] = save(station, result(run="20260202_000000", accuracy=80.0))
    assert kept.fate == "kept" and "another run" in kept.note
    assert station.load(Pair("adder", "sums"), identity())["accuracy"] == 90.0
    [replaced] = save(station, result(run="20260202_000000", accuracy=80.0), overwrite=True)
    assert replaced.fate == "replaced"
    assert station.load(Pair("adder", "sums"), identity())["accuracy"] == 80.0
    assert [row["run"] for row in station.table()] == ["20260202_000000"] * 2


def test_a_result_with_fewer_errors_takes_the_place_of_one_with_more(address: str):
    station = open_station(address)
    save(station, result(errors=3))
    assert [s.fate for s in save(station, result(run="20260202_000000", errors=4, accuracy=1.0))] == ["kept"]
    assert [s.fate for s in save(station, result(run="20260202_000000", errors=1, accuracy=1.0))] == ["replaced"]


def test_a_result_that_is_gone_is_an_error(address: str):
    station = open_station(address)
    save(station, result())
    with pytest.raises(StationError, match="no longer"):
        station.load(Pair("adder", "sums"), identity(recipe="another"))


def test_the_table_has_every_metric_in_its_order(address: str):
    station = open_station(address)
    assert station.table() == []
    save(station, result(), result("other", run="20260202_000000", accuracy=70.0))
    rows = station.table()
    assert [(row["model"], row["metric"], row["value"], row["stderr"]) for row in rows] == [
        ("other", "accuracy", 70.0, 0.5),
        ("other", "other", 1.0, None),
        ("adder", "accuracy", 90.0, 0.5),
        ("adder", "other", 1.0, None),
    ]


def test_databases_keep_each_configuration_and_folders_the_first(address: str):
    station = open_station(address)
    other = result(recipe="another prompt")
    save(station, result())
    [saved] = save(station, other)
    if "://" in address:
        assert saved.fate == "saved" and len(station.headers([other.pair])) == 2
    else:
        assert saved.fate == "kept" and "prompts" in saved.note
        assert [s.fate for s in save(station, other, overwrite=True)] == ["replaced"]


def test_one_result_that_cannot_be_read_does_not_stop_the_others(address: str):
    def unreadable():
        raise OSError("the predictions are gone")

    broken = result(dataset="broken")
    object.__setattr__(broken, "predictions", unreadable)
    fates = save(open_station(address), broken, result(), samples=True)
    assert [saved.fate for saved in fates] == ["failed", "saved"] and "gone" in fates[0].note
    assert open_station(address).headers([broken.pair]) == []
