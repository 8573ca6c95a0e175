#!/usr/bin/env bash
# The figures of resources/docs/cluster.md: run.sh [CALIB-WITH-MPI]. The simulation and the model take a minute; with a program
# that was built with MPI, 1 and 2 ranks of this machine are measured too, beside what the model says.
set -euo pipefail

[[ ${1:-} =~ ^(-h|--help)$ ]] && { sed -n '2,3s/^# //p' "$0"; exit 0; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
echo "== ways of dealing out"
python3 "$here/handing_out.py"
echo "== model"
python3 "$here/speed_model.py"
[[ $# -eq 0 ]] || { echo "== here"; python3 "$here/measure.py" "$@"; }
