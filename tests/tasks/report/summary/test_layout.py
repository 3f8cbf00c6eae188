"""Tables that hold what models and data say: a spreadsheet, a page and a terminal show it as text."""

import csv
import io

import pytest

from tasks.report.summary.layout import aligned, markdown, quoted_csv

FORMULAS = ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "- an item of a list")
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
HARMLESS = ("-", "-5", "+0.25", "-1e-3", "a=b", "5", "", "it is -5")


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_cell_is_no_formula(cell: str):
    rows = _read(quoted_csv(["x", cell], [["1", cell]]))
    assert [len(row) for row in rows] == [2, 2] and not any(row[1].startswith(FORMULA_SIGNS) for row in rows)
    assert all(row[1].endswith(cell.strip()) for row in rows)


@pytest.mark.parametrize("cell", HARMLESS)
def test_numbers_and_plain_texts_stay_as_they_are(cell: str):
    assert _read(quoted_csv(["x", "y"], [[cell, "1"]]))[1] == [cell, "1"]


def test_a_cell_is_no_markup_and_ends_no_cell():
    table = markdown(["a|b"], [["<img src=x onerror=y> [x](javascript:z) | \n new \\<b>"]], left=1)
    assert len(table.splitlines()) == 3
    assert "\\<img" in table and "\\[x]" in table and "a\\|b" in table and "\\|   new \\<b>" in table


def test_a_cell_does_not_steer_a_terminal():
    table = aligned(["\x1b[2J"], [["\x1b]0;x\x07 \u202e\x9b31m"]], left=1)
    assert table.replace("\n", "").isprintable() and "\\x1b[2J" in table


def _read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))
