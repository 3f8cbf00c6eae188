#!/usr/bin/env bash
# Installs what tests of local models need, where pip knows a folder (find-links) with a torch for CPUs. Elsewhere these
# tests skip: the torch of the package index brings gigabytes of GPU drivers.
# usage: .ci/local_torch.sh FOLDER CONSTRAINTS
set -euo pipefail
folder=$1
wanted=$(grep -m1 '^torch==' "$2" | sed 's/ *;.*//')
if ! python3 -m pip --python "$folder/bin/python" install --quiet --no-index --no-deps "$wanted" 2>/dev/null; then
    echo "no $wanted for CPUs on this machine: tests of models that are loaded here will skip" >&2
    exit 0
fi
"$(dirname "$0")/install.sh" "$folder" -e '.[hf]' -c "$2"
