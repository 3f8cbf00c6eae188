#!/usr/bin/env bash
# Creates .venv with the first Python of at least 3.11 (or $PYTHON), and with uv if available.
# usage: .ci/new_venv.sh FOLDER
set -euo pipefail
folder=$1

usable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

python=
for candidate in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14}; do
    if usable "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "Python 3.11 or newer is required: install it, or run make PYTHON=/path/to/python3.12 …" >&2
    exit 1
fi

# A partial folder would be mistaken for a complete one.
trap 'rm -rf "$folder"' ERR INT TERM
# Debian's Python has no ensurepip without python3-venv; its pip can install into a folder without pip.
if "$python" -c 'import ensurepip' >/dev/null 2>&1; then
    "$python" -m venv --clear "$folder"
else
    "$python" -m venv --clear --without-pip "$folder"
    "$python" -m pip --python "$folder/bin/python" install --quiet pip
fi
# uv is several times faster; without it, pip installs everything.
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check uv || echo "uv is not available; continuing with pip" >&2
