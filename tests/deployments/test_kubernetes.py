"""The work pool for Kubernetes, rendered as Prefect's worker renders it, and the example of deployments on it."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
from prefect.utilities.templating import apply_values
from ruamel.yaml import YAML
from support.repository import ROOT

FOLDER = ROOT / "deployments/kubernetes"
TEMPLATE: dict[str, Any] = json.loads((FOLDER / "work_pool.json").read_text())
FORM: dict[str, Any] = TEMPLATE["variables"]["properties"]


def manifest(**given: Any) -> dict[str, Any]:
    """The job for these values and the form's defaults."""
    defaults = {name: field["default"] for name, field in FORM.items() if "default" in field}
    jsonschema.validate(defaults | given, TEMPLATE["variables"])
    return apply_values(TEMPLATE["job_configuration"], defaults | given)["job_manifest"]


def read(path: Path) -> dict[str, Any]:
    return YAML(typ="safe", pure=True).load(path)


def test_every_value_of_the_form_is_used_and_explained():
    used = set(re.findall(r"\{\{ (\w+) \}\}", json.dumps(TEMPLATE["job_configuration"])))
    assert used == FORM.keys()
    assert [name for name, field in FORM.items() if not field.get("description")] == []


def test_a_job_has_gpus_the_shared_folder_and_the_secret():
    job = manifest(num_gpus=2, env={"A": "b"}, command="prefect flow-run execute")
    assert "{{" not in json.dumps(job) and job["spec"]["backoffLimit"] == 0
    pod = job["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert container["resources"]["limits"] == {"memory": "16Gi", "nvidia.com/gpu": 2}
    assert container["envFrom"] == [{"secretRef": {"name": "compass", "optional": True}}]
    mounted = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert mounted.keys() == {volume["name"] for volume in pod["volumes"]}
    assert mounted["shared"] == container["workingDir"] == "/shared"


def test_the_deployments_use_that_pool_and_values_of_its_form():
    example, packaged = read(FOLDER / "prefect.yaml"), read(ROOT / "deployments/prefect.yaml")
    assert example["prefect-version"] == packaged["prefect-version"]
    entrypoints = {deployment["entrypoint"] for deployment in packaged["deployments"]}
    for deployment in example["deployments"]:
        pool = deployment["work_pool"]
        assert deployment["entrypoint"] in entrypoints and pool["name"] == "compass-kubernetes"
        assert "{{" not in json.dumps(manifest(**pool["job_variables"], command="x"))
