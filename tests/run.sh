#!/usr/bin/env bash
# Every check there is, from a fresh checkout on: run.sh [--quick]. --quick: only the build and tests of preset dev.
# Ends with a summary of the steps, and with 1 if any of them failed.
set -uo pipefail

case ${1:-} in
    '' | --quick) mode=${1:-all} ;;
    -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
    *) echo "$1: no such option; see tests/run.sh --help" >&2; exit 2 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
jobs=${CALIBSCOPE_JOBS:-$(nproc)}
readonly mode root jobs
readonly logs="$root/.build/logs"
mkdir -p "$logs" && rm -f "$logs"/*.log
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

sources() {
    find "$@" -name '*.cpp' -o -name '*.h'
}

# Other versions of the tools format and warn differently; the tree follows 14, Debian 12's.
isVersion14() {
    "$1" --version | grep -q 'version 14\.' || {
        echo "note: $1 is not version 14, whose rules the tree follows: not run"
        return 1
    }
}

checkFormat() {
    isVersion14 clang-format || return 0
    sources app core ui tests | xargs -d '\n' clang-format --dry-run -Werror
}

build() {
    local launcher=()
    command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake --preset "$1" "${launcher[@]}" && cmake --build ".build/$1" --parallel "$jobs"
}

runTests() {
    QT_QPA_PLATFORM=offscreen ctest --preset "$1" --parallel "$jobs"
}

# Sources of core, what was changed last first.
coreByAge() {
    { git log --format= --name-only --diff-filter=AMR -- core 2>/dev/null || true; find core -name '*.cpp'; } |
        grep '\.cpp$' | awk '!seen[$0]++' | while read -r file; do [[ -f $file ]] && echo "$file"; done
}

# Works from the compile commands of preset dev. Last, and broken off where the half hour which a run may take from
# nothing on two cores would be over before its end: then the files that were changed longest ago are left out.
latestTidy=1680
checkTidy() {
    isVersion14 clang-tidy || return 0
    local limit=$((latestTidy - SECONDS)) status=0
    if ((limit <= 0)); then
        echo "note: started after $SECONDS s, later than $latestTidy: not run; tests/run.sh again finds everything built"
        return 0
    fi
    coreByAge | timeout "$limit" xargs -d '\n' -P "$jobs" -n 4 clang-tidy --quiet -p .build/dev 2>&1 |
        sed '/warnings\? generated\.$/d' | tee "$logs/findings"
    status=${PIPESTATUS[1]}
    if ((status == 124)) && ! grep -q 'error:' "$logs/findings"; then
        echo "note: broken off after $limit s: the files of core that were changed longest ago were not looked at"
        return 0
    fi
    return "$status"
}

echo "Calibscope $(git describe --always --dirty 2>/dev/null), $(uname -sm), $jobs jobs"
step "packages" resources/packages/install.sh build window test || exit 1
step "build dev" build dev && step "test dev" runTests dev
if [[ $mode == all ]]; then
    step "format" checkFormat
    step "build asan" build asan && step "test asan" runTests asan
    step "tidy" checkTidy
fi

printf '\n== summary, %d s\n' $SECONDS
printf '%s\n' "${summary[@]}"
grep -hE 'tests passed' "$logs/test-dev.log"
exit $failed
