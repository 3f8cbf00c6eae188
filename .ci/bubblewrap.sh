#!/usr/bin/env bash
# Installs bubblewrap where that is possible; the tests use namespaces without it where it is not.
# usage: .ci/bubblewrap.sh
set -uo pipefail
if command -v bwrap >/dev/null || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi
options=(-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
{
    timeout 120 apt-get "${options[@]}" install -y --no-install-recommends bubblewrap ||
        { timeout 120 apt-get "${options[@]}" update && timeout 120 apt-get "${options[@]}" install -y --no-install-recommends bubblewrap; }
} >/dev/null 2>&1 </dev/null || echo "bubblewrap could not be installed, going on without it" >&2
