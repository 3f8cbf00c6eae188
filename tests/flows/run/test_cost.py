"""What a run will cost at most is told before it, and what it did cost afterwards, where prices are known."""

import pytest
from support.workspace import Workspace

from flows.terminal.cli import main

PRICES = {"input": 1_000_000.0, "output": 1_000_000.0}
"""A dollar for each token."""


def test_a_dry_run_tells_the_most_that_a_run_can_cost(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.write({"sums": 10}, prices=PRICES)
    assert main([str(workspace.config), "--dry-run"]) == 0
    output = capsys.readouterr().out
    assert "maximum cost ($)" in output
    # a prompt has four words, an answer at most 16 tokens
    assert f"at most {10 * (4 + 16):.2f} dollars" in output


def test_without_prices_nothing_is_said_of_cost(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.write({"sums": 10})
    assert main([str(workspace.config), "--dry-run"]) == 0
    assert "cost" not in capsys.readouterr().out


def test_the_summary_tells_what_was_spent(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.write({"sums": 10}, prices=PRICES)
    assert main([str(workspace.config), "--inline"]) == 0
    assert "adder: 50 tokens in, 10 out, $60.00" in capsys.readouterr().out


def test_a_run_that_may_ask_no_more_says_what_is_left_and_goes_on_later(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace.write({"sums": 10})
    assert main([str(workspace.config), "--inline", "--max-samples", "4"]) == 1
    shown = capsys.readouterr()
    assert "adder / sums: partial: 4 of 10 (budget reached: max_samples=4)" in shown.out
    assert "budget reached: max_samples=4; 6 of 10 samples are left" in " ".join(shown.err.split())
    assert workspace.server.requests == 4
    assert main([str(workspace.config), "--inline", "--reuse"]) == 0
    assert workspace.server.requests == 10
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
