#!/usr/bin/env bash
# Builds preset check and runs all its tests, from a fresh checkout on: run.sh. White space and the shape of the tree
# come first. Ends with a summary of the steps, and with 1 if any of them failed. tests/slow.sh has the slow checks.
set -uo pipefail

case ${1:-} in
    '') ;;
    -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
    *) echo "$1: no such option; see tests/run.sh --help" >&2; exit 2 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

check_format() {
    is_version_14 clang-format || return 0
    find app core ui tests -name '*.cpp' -o -name '*.h' | xargs -d '\n' -P "$jobs" -n 100 clang-format --dry-run -Werror
}

check_architecture() {
    cmake -D ROOT="$root" -P tests/architecture_test.cmake
}

echo "Calibscope $(git describe --always --dirty 2>/dev/null), $(uname -sm), $jobs jobs"
step "packages" resources/packages/install.sh build window test mpi || finish
step "format" check_format || finish
step "architecture" check_architecture || finish
# A quarter of their time tests wait.
step "build check" build check && step "test check" run_tests check --parallel $((jobs + 1))
grep -hE 'tests passed' "$logs/test-check.log"
echo "the slowest:"
sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: (.*[^ .]) \.*(   Passed|\*\*\*[A-Z].*) +([0-9.]+) sec$/\3 s  \1/p' "$logs/test-check.log" |
    sort -rn | head -n 5
finish
