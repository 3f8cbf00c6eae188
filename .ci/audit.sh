#!/usr/bin/env bash
# Looks up known vulnerabilities of the packages in a virtual environment at pypi.org. Not part of the tests.
# usage: .ci/audit.sh FOLDER      (exit status 0: no known vulnerability)
set -euo pipefail
venv=$1
here=$(dirname "$0")
# Mirrors may serve packages without vulnerability data, so check the original host.
if ! "$venv/bin/python" -c 'import urllib.request as r; r.urlopen("https://pypi.org/pypi/pip/25.0/json", timeout=20)' 2>/dev/null; then
    echo "make audit needs https://pypi.org, which cannot be reached from here" >&2
    exit 2
fi
# In a separate environment, so that the audited one stays unchanged.
[ -x "$venv/audit/bin/pip-audit" ] || { "$here/new_venv.sh" "$venv/audit"; "$here/install.sh" "$venv/audit" pip-audit; }
packages=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$venv/audit/bin/pip-audit" --progress-spinner off --path "$packages" --format json | "$venv/bin/python" "$here/audit_report.py"
