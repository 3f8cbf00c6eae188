#!/usr/bin/env bash
# Writes the newest compatible versions to deployments/constraints; run the tests before committing them.
# usage: .ci/refresh_constraints.sh PYTHON      (a Python that has uv)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1

# resolve NAME REMARK ARGUMENTS…: GPU libraries come with the chosen torch; setuptools belongs to builds.
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
resolve constraints "Versions with which the tests pass." -c "$torch" --extra hub --extra score --extra tiktoken --extra hf \
    --extra dask --extra report --extra station --extra slack --extra demo --extra vendors --extra retrievers \
    --extra test
resolve vllm "For the extra vllm, in a separate environment: newer vLLM versions reject the FastAPI that Prefect needs." \
    --extra hub --extra vllm
resolve lmdeploy "For the extra lmdeploy, in a separate environment." --extra hub --extra lmdeploy
