#!/usr/bin/env bash
# Installs the packages for tests of local models if pip has a folder (find-links) with a CPU build of torch. Otherwise
# these tests are skipped, because torch from the package index includes gigabytes of GPU libraries.
# usage: .ci/local_torch.sh FOLDER CONSTRAINTS
set -euo pipefail
folder=$1
wanted=$(grep -m1 '^torch==' "$2" | sed 's/ *;.*//')
if ! python3 -m pip --python "$folder/bin/python" install --quiet --no-index --no-deps "$wanted" 2>/dev/null; then
    echo "no CPU build of $wanted found: tests of local models are skipped" >&2
    exit 0
fi
"$(dirname "$0")/install.sh" "$folder" -e '.[hf]' -c "$2"
