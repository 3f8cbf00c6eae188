#!/usr/bin/env bash
# Installs libfaketime where that is possible; tests go without a wrong clock where it is not.
# usage: .ci/faketime.sh
set -uo pipefail
if compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi
options=(-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
{
    timeout 120 apt-get "${options[@]}" install -y --no-install-recommends libfaketime ||
        { timeout 120 apt-get "${options[@]}" update && timeout 120 apt-get "${options[@]}" install -y --no-install-recommends libfaketime; }
} >/dev/null 2>&1 </dev/null || echo "libfaketime could not be installed, going on without it" >&2
