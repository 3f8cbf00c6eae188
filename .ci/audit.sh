#!/usr/bin/env bash
# Known weaknesses of the packages in a virtual environment, as pypi.org knows them. For people with a network: no gate.
# usage: .ci/audit.sh FOLDER      (exit status 0: none is known)
set -euo pipefail
venv=$1
here=$(dirname "$0")
# A package that always stands there: a mirror may answer for it, and yet know nothing about weaknesses.
if ! "$venv/bin/python" -c 'import urllib.request as r; r.urlopen("https://pypi.org/pypi/pip/25.0/json", timeout=20)' 2>/dev/null; then
    echo "make audit asks https://pypi.org, which cannot be reached from here; run it where there is a network" >&2
    exit 2
fi
# In an environment of its own: what is audited stays as it is.
[ -x "$venv/audit/bin/pip-audit" ] || { "$here/new_venv.sh" "$venv/audit"; "$here/install.sh" "$venv/audit" pip-audit; }
packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$venv/audit/bin/pip-audit" --progress-spinner off --path "$packages" --format json | "$venv/bin/python" "$here/audit_report.py"
