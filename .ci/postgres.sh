#!/usr/bin/env bash
# Installs PostgreSQL through .ci/apt.sh, without creating and starting the default database.
# usage: .ci/postgres.sh
set -uo pipefail
settings=/etc/postgresql-common/createcluster.conf
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ ! -e "$settings" ]; then
    mkdir -p "$(dirname "$settings")"
    echo 'create_main_cluster = false' >"$settings"
fi
"$(dirname "$0")/apt.sh" '/usr/lib/postgresql/*/bin/postgres' postgresql
