#!/usr/bin/env bash
# Installs PostgreSQL where that is possible; its tests are skipped where it is not.
# usage: .ci/postgres.sh
set -uo pipefail
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then exit 0; fi
if command -v postgres >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; then exit 0; fi
options=(-qq -o Dpkg::Options::=--force-confold -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
export DEBIAN_FRONTEND=noninteractive
# The package would set up a cluster and start it.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
{
    timeout 180 apt-get "${options[@]}" install -y --no-install-recommends postgresql ||
        { timeout 120 apt-get "${options[@]}" update &&
            timeout 180 apt-get "${options[@]}" install -y --no-install-recommends postgresql; }
} >/dev/null 2>&1 </dev/null || echo "PostgreSQL could not be installed, going on without it" >&2
