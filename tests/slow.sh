#!/usr/bin/env bash
# The checks that take long, after tests/run.sh: slow.sh. Both programs linked as one (every type defined once), all tests under
# the address and undefined-behaviour sanitizers, threads under the thread sanitizer, clang-tidy over core, fuzzers for 10 s each.
set -uo pipefail

case ${1:-} in
    '') ;;
    -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
    *) echo "$1: no such option; see tests/slow.sh --help" >&2; exit 2 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

# Each file by itself, as preset dev compiles it: its build folder is only made, for its compile commands.
check_tidy() {
    is_version_14 clang-tidy || return 0
    cmake --preset dev >/dev/null || return 1
    find core -name '*.cpp' | sort | xargs -d '\n' -P "$jobs" -n 4 clang-tidy --quiet -p .build/dev 2>&1 |
        sed '/warnings\? generated\.$/d'
}

step "tidy" check_tidy
step "fuzz" tests/fuzz/short.sh
step "build odr" build odr calib calibscope
step "build tsan" build tsan engine_tests ui_tests calib && step "test tsan" run_tests tsan
step "build asan" build asan && step "test asan" run_tests asan
finish
