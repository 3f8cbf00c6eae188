#!/usr/bin/env bash
# Installs a browser where that is possible; tests of pages skip where there is none.
# usage: .ci/chromium.sh
set -uo pipefail
if command -v chromium >/dev/null || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi
options=(-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
{
    timeout 300 apt-get "${options[@]}" install -y --no-install-recommends chromium ||
        { timeout 120 apt-get "${options[@]}" update && timeout 300 apt-get "${options[@]}" install -y --no-install-recommends chromium; }
} >/dev/null 2>&1 </dev/null || echo "chromium could not be installed, going on without it" >&2
