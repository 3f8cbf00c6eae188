#!/usr/bin/env bash
# Installs packages into a virtual environment: by uv, or by pip where uv is missing or cannot reach the index.
# usage: .ci/install.sh FOLDER ARGUMENTS…      (the arguments of `pip install`)
set -euo pipefail
python=$1/bin/python
shift
# As pip does, uv is to trust the authorities of this system: networks may have their own.
export UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true}
if "$python" -m uv --version >/dev/null 2>&1; then
    "$python" -m uv pip install --python "$python" --quiet "$@" && exit
    echo "uv could not install this, trying pip, which takes a minute or two" >&2
fi
"$python" -m pip install --quiet --disable-pip-version-check "$@"
