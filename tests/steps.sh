# For scripts that run checks one after the other; sourced. Each step's output is kept in .build/logs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
jobs=${CALIBSCOPE_JOBS:-$(nproc)}
logs="$root/.build/logs"
readonly root jobs logs
mkdir -p "$logs"
exec </dev/null

summary=()
failed=0

# step NAME COMMAND...: runs it, shows and keeps its output, notes how it went.
step() {
    local name=$1 begin=$SECONDS verdict=passed
    local log="$logs/${name// /-}.log"
    shift
    echo "== $name"
    if ! "$@" 2>&1 | tee "$log"; then
        verdict=FAILED
        failed=1
    fi
    summary+=("$(printf '%-20s %-7s %4d s  %s' "$name" "$verdict" $((SECONDS - begin)) \
        "$(grep -E 'tests passed' "$log" | tail -n 1)")")
    [[ $verdict == passed ]]
}

# Steps that have run, and whether all passed.
finish() {
    printf '\n== summary, %d s\n' $SECONDS
    printf '%s\n' "${summary[@]}"
    exit $failed
}

# build PRESET [TARGET...]
build() {
    local preset=$1 launcher=() targets=()
    shift
    (($# == 0)) || targets=(--target "$@")
    command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake --preset "$preset" "${launcher[@]}" && cmake --build ".build/$preset" --parallel "$jobs" "${targets[@]}"
}

# run_tests PRESET [ARGUMENTS OF ctest...]
run_tests() {
    TSAN_OPTIONS="suppressions=$root/tests/support/thread_sanitizer.supp die_after_fork=0" QT_QPA_PLATFORM=offscreen ctest --preset "$1" \
        --parallel "$jobs" "${@:2}"
}

# Other versions of the tools format and warn differently; the tree follows 14, Debian 12's.
is_version_14() {
    "$1" --version | grep -q 'version 14\.' || {
        echo "note: $1 is not version 14, whose rules the tree follows: not run"
        return 1
    }
}
