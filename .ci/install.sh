#!/usr/bin/env bash
# Installs packages into a virtual environment with uv, or with pip if uv is missing or cannot reach the index.
# usage: .ci/install.sh FOLDER ARGUMENTS…      (the arguments of `pip install`)
set -euo pipefail
python=$1/bin/python
shift
# Like pip, uv should trust the certificate authorities of the system, because networks may have their own.
export UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true}
if "$python" -m uv --version >/dev/null 2>&1; then
    "$python" -m uv pip install --python "$python" --quiet "$@" && exit
    echo "uv failed; trying pip, which takes a minute or two" >&2
fi
"$python" -m pip install --quiet --disable-pip-version-check "$@"
