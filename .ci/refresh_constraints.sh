#!/usr/bin/env bash
# Writes the newest versions that go together into deployments/constraints; run the tests before they are committed.
# usage: .ci/refresh_constraints.sh PYTHON      (a Python that has uv)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1

# resolve NAME REMARK ARGUMENTS…: the drivers of a GPU come with the torch that is chosen; setuptools belongs to builds.
resolve() {
    file=deployments/constraints/$1.txt
    remark=$2
    shift 2
    {
        echo "# $remark Refreshed by: make constraints"
        "$python" -m uv pip compile pyproject.toml --universal --python-version 3.11 --no-annotate --no-header --quiet \
            --no-emit-package setuptools "$@" | grep -vE '^(nvidia-|cuda-|triton|pywin32|#)'
    } >"$file.new"
    mv "$file.new" "$file"
}

torch=$(mktemp)
trap 'rm -f "$torch"' EXIT
echo "torch==2.13.0" >"$torch"
resolve constraints "The versions with which the tests pass." -c "$torch" --extra hub --extra score --extra tiktoken --extra hf \
    --extra dask --extra report --extra station --extra slack --extra demo --extra vendors --extra retrievers \
    --extra test
resolve vllm "For the extra vllm, in an environment of its own: later vLLMs refuse the FastAPI that Prefect needs." \
    --extra hub --extra vllm
resolve lmdeploy "For the extra lmdeploy, in an environment of its own." --extra hub --extra lmdeploy
