#!/usr/bin/env bash
# Builds the fuzzers (preset fuzz, Clang) and runs each for a short while: short.sh [SECONDS [TARGET...]], 10 of all by
# default, always in the same way: CALIBSCOPE_FUZZ_SEED gives another seed than 1, 0 a new one each time. What crashes a
# reader, or takes it too long or too much memory, is left in .build/fuzz/found.
set -euo pipefail

[[ ${1:-} =~ ^(-h|--help)$ ]] && { sed -n '2,4s/^# //p' "$0"; exit 0; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v clang++ >/dev/null || { echo "note: there is no clang++: not run"; exit 0; }
seconds=${1:-10}
shift || true
targets=("$@")
if [[ ${#targets[@]} == 0 ]]; then
    for file in tests/fuzz/*.cpp; do targets+=("$(basename "$file" .cpp)"); done
fi
python=python3
/usr/bin/python3 -c 'import h5py' 2>/dev/null && python=/usr/bin/python3
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake --preset fuzz "${launcher[@]}" >/dev/null
cmake --build .build/fuzz --parallel "${CALIBSCOPE_JOBS:-$(nproc)}" --target "${targets[@]/#/fuzz_}"
"$python" tests/fuzz/seeds.py .build/fuzz/corpus
mkdir -p .build/fuzz/found
# One target; what it found is in the exit status.
fuzzed() {
    local target=$1 seconds=$2 told status=0
    told=$(.build/fuzz/bin/"fuzz_$target" -seed="${CALIBSCOPE_FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=512 -malloc_limit_mb=256 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix=".build/fuzz/found/$target-" \
        ".build/fuzz/corpus/$target" 2>&1) || status=$?
    echo "== $target, $seconds s"
    grep -E '^(stat::number|stat::peak|SUMMARY|==|ERROR|artifact)|Test unit|runtime error' <<<"$told" || true
    return $status
}
export -f fuzzed
printf '%s\n' "${targets[@]}" | xargs -P "${CALIBSCOPE_JOBS:-$(nproc)}" -I{} bash -c 'fuzzed {} '"$seconds"
