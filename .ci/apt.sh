#!/usr/bin/env bash
# Installs system packages that tests use, if possible; otherwise these tests are skipped.
# usage: .ci/apt.sh PROGRAM PACKAGE…      (does nothing if PROGRAM exists: a command, or a path with wildcards)
set -uo pipefail
program=$1
shift
if command -v "$program" >/dev/null || compgen -G "$program" >/dev/null; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "$* not installed: some tests are skipped; on Debian or Ubuntu, install as root: apt-get install $*" >&2
    exit 0
fi
options=(-qq -o Dpkg::Options::=--force-confold -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
export DEBIAN_FRONTEND=noninteractive
install() { timeout 300 apt-get "${options[@]}" install -y --no-install-recommends "$@"; }
{
    install "$@" || { timeout 120 apt-get "${options[@]}" update && install "$@"; }
} >/dev/null 2>&1 </dev/null || echo "$* could not be installed; continuing without" >&2
