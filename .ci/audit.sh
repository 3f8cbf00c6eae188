#!/usr/bin/env bash
# Known weaknesses of the packages in a virtual environment, as pypi.org knows them. For people with a network: no gate.
# usage: .ci/audit.sh FOLDER
set -euo pipefail
python=$1/bin/python
if ! "$python" -c 'import urllib.request as r; r.urlopen("https://pypi.org/pypi/pip/json", timeout=20)' 2>/dev/null; then
    echo "make audit asks https://pypi.org, which cannot be reached from here; run it where there is a network" >&2
    exit 2
fi
"$(dirname "$0")/install.sh" "$1" pip-audit
exec "$1/bin/pip-audit" --skip-editable
