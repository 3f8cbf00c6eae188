"""What models cost is known where litellm is installed, for the vendors' own models alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.specs import model_spec

from tasks.plan.price_table import with_known_prices

TABLE = {"gpt-x": {"input_cost_per_token": 2e-06, "output_cost_per_token": 8e-06}, "embedder": {"mode": "embedding"}}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "litellm"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('must not be imported')")
    (package / "model_prices_and_context_window_backup.json").write_text(json.dumps(TABLE))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("installed")
def test_a_vendors_model_has_the_vendors_prices():
    [model] = with_known_prices([model_spec(arguments={"path": "gpt-x"})])
    assert model.prices == pytest.approx({"input": 2.0, "output": 8.0})


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "given",
    [
        {"arguments": {"path": "gpt-x", "openai_api_base": "http://localhost:1/v1"}},
        {"arguments": {"path": "gpt-xx"}},
        {"arguments": {"path": "embedder"}},
        {"arguments": {"path": "gpt-x"}, "is_api": False},
    ],
)
def test_what_is_no_vendors_model_has_none(given: dict[str, Any]):
    [model] = with_known_prices([model_spec(**given)])
    assert model.prices is None


@pytest.mark.usefixtures("installed")
def test_the_configurations_prices_win():
    [model] = with_known_prices([model_spec(arguments={"path": "gpt-x"}, prices={"input": 1.0})])
    assert model.prices == {"input": 1.0}


def test_without_the_package_nothing_is_known():
    [model] = with_known_prices([model_spec(arguments={"path": "gpt-x"})])
    assert model.prices is None
