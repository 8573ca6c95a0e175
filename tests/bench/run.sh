#!/usr/bin/env bash
# run.sh [-o FILE.csv] [--mib N] [--job-mib N] [--rounds N] [--only TEXT]: builds the benches and compares the engine with
# NumPy, h5py and (where it is installed) PyTorch on the same data in one run, by turns. Prints a table of ratios and writes
# it as CSV. Says which instruction set ran; rows of kernels run with each one that the processor has.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${CALIBSCOPE_BUILD:-$root/.build/dev}
cmake --build "$build" --target calib speed_bench >&2
exec /usr/bin/python3 "$root/tests/bench/peers.py" "$build/bin" "$@"
