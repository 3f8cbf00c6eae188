"""What the jobs of clusters get from the environment of the run that submits them."""

import pytest

from flows.jobs.environment import job_variables


def test_proxies_addresses_and_the_keys_that_any_job_may_need_are_handed_on(monkeypatch: pytest.MonkeyPatch):
    handed = {
        "http_proxy": "http://proxy:1", "NO_PROXY": "10.0.0.1", "HF_ENDPOINT": "https://hub.example", "HF_TOKEN": "hub",
        "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "OC_JUDGE_MODEL": "m", "OC_JUDGE_API_KEY": "judge",
        "OPENAI_BASE_URL": "http://m.example", "COMPASS_DATA_CACHE": "/data",
    }  # fmt: skip
    kept = {"OPENAI_API_KEY": "of a model that no job of these asks", "AWS_SECRET_ACCESS_KEY": "x", "EDITOR": "vi"}
    for name, value in {**handed, **kept}.items():
        monkeypatch.setenv(name, value)
    found = job_variables([], [])
    assert handed.items() <= found.items() and not kept.keys() & found.keys()
    assert found["MKL_SERVICE_FORCE_INTEL"] == "1"
