#!/usr/bin/env bash
# Installs packages into a virtual environment: by uv, or by pip where uv is missing or cannot reach the index.
# usage: .ci/install.sh FOLDER ARGUMENTS…      (the arguments of `pip install`)
set -euo pipefail
python=$1/bin/python
shift
if "$python" -m uv --version >/dev/null 2>&1; then
    "$python" -m uv pip install --python "$python" --quiet "$@" && exit
    echo "uv could not install this, trying pip" >&2
fi
"$python" -m pip install --quiet --disable-pip-version-check "$@"
