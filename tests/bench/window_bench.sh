#!/usr/bin/env bash
# window_bench.sh [--rounds N] [--gib N]: builds what window_bench.py starts, and runs it on the bundled sample.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${CALIBSCOPE_BUILD:-$root/.build/dev}
cmake --build "$build" --target calib window_times chart_start >&2
exec /usr/bin/python3 "$root/tests/bench/window_bench.py" "$build/bin" "$root/resources/sample/sample.h5" "$@"
