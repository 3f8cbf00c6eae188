#!/usr/bin/env bash
# Installs system packages that tests use, where that is possible; the tests skip where it is not.
# usage: .ci/apt.sh PROGRAM PACKAGE…      (nothing is done if PROGRAM is there: a command, or a path with wildcards)
set -uo pipefail
program=$1
shift
if command -v "$program" >/dev/null || compgen -G "$program" >/dev/null; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "without $* some tests skip; on Debian or Ubuntu, root gets it by: apt-get install $*" >&2
    exit 0
fi
options=(-qq -o Dpkg::Options::=--force-confold -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
export DEBIAN_FRONTEND=noninteractive
install() { timeout 300 apt-get "${options[@]}" install -y --no-install-recommends "$@"; }
{
    install "$@" || { timeout 120 apt-get "${options[@]}" update && install "$@"; }
} >/dev/null 2>&1 </dev/null || echo "$* could not be installed, going on without" >&2
