#!/usr/bin/env bash
# Installs Slurm where that is possible; its tests are skipped where it is not.
# usage: .ci/slurm.sh
set -uo pipefail
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi
if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null; then exit 0; fi
packages=(slurmctld slurmd slurm-client munge)
options=(-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
export DEBIAN_FRONTEND=noninteractive
{
    timeout 180 apt-get "${options[@]}" install -y --no-install-recommends "${packages[@]}" ||
        { timeout 120 apt-get "${options[@]}" update &&
            timeout 180 apt-get "${options[@]}" install -y --no-install-recommends "${packages[@]}"; }
} >/dev/null 2>&1 </dev/null || echo "Slurm could not be installed, going on without it" >&2
