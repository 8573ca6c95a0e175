#!/usr/bin/env bash
# The checks that take long, after tests/run.sh: slow.sh. What Clang and clang-tidy warn of, fuzzers for 10 s each, both programs
# linked as one (every type defined once), threads under the thread sanitizer, all tests under the address and undefined-behaviour
# sanitizers. Ends with a summary, and with 1 if any of them failed.
set -uo pipefail

case ${1:-} in
    '') ;;
    -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
    *) echo "$1: no such option; see tests/slow.sh --help" >&2; exit 2 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

check_tidy() {
    is_version_14 clang-tidy || return 0
    tests/tidy.sh
}

step "tidy" check_tidy
step "fuzz" tests/fuzz/short.sh
step "build odr" build odr calib calibscope
step "build tsan" build tsan engine_tests ui_tests && step "test tsan" run_tests tsan
step "build asan" build asan && step "test asan" run_tests asan
finish
