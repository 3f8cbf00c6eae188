#!/usr/bin/env bash
# Makes .venv: with the first Python from 3.11 on (or $PYTHON), with uv in it where uv can be had.
# usage: .ci/new_venv.sh FOLDER
set -euo pipefail
folder=$1

usable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

python=
for candidate in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14}; do
    if usable "$candidate"; then python=$candidate; break; fi
done
if [ -z "$python" ]; then
    echo "Python 3.11 or newer is needed: install it, or name it: make PYTHON=/path/to/python3.12 …" >&2
    exit 1
fi

# A folder that is only half made would be taken for a whole one.
trap 'rm -rf "$folder"' ERR INT TERM
# Debian's Python has no ensurepip unless python3-venv is installed; its pip can fill a folder without one.
if "$python" -c 'import ensurepip' >/dev/null 2>&1; then
    "$python" -m venv --clear "$folder"
else
    "$python" -m venv --clear --without-pip "$folder"
    "$python" -m pip --python "$folder/bin/python" install --quiet pip
fi
# uv is several times faster; without it everything is installed by pip.
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check uv || echo "uv is not to be had, going on with pip" >&2
