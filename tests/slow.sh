#!/usr/bin/env bash
# The checks that take long, after tests/run.sh: slow.sh [--all]. What Clang and clang-tidy find in core, what the contributor's page
# tells to add, in programs linked as one (every type defined once), fuzzers for 10 s each, threads under the thread sanitizer;
# with --all, before a release, all tests under the address and undefined-behaviour sanitizers, too, Clang's warnings in the other
# rooms, and a picture by the program that packagers build.
set -uo pipefail

all=''
case ${1:-} in
    '') ;;
    --all) all=1 ;;
    -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
    *) echo "$1: no such option; see tests/slow.sh --help" >&2; exit 2 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

check_tidy() {
    is_version_14 clang-tidy || return 0
    tests/tidy.sh ${all:+--all}
}

take_picture() {
    QT_QPA_PLATFORM=offscreen ".build/$1/bin/calibscope" snapshot resources/sample/sample.h5 -o "$logs/$1.png"
}

step "packages" resources/packages/install.sh build window test mpi slow || finish
step "tidy" check_tidy
step "contributor odr" tests/contributor.sh
step "fuzz" tests/fuzz/short.sh
step "build tsan" build tsan engine_tests ui_tests calib && step "test tsan" run_tests tsan
[[ -z $all ]] || { step "build asan" build asan && step "test asan" run_tests asan; }
[[ -z $all ]] || { step "build package" build package && step "picture package" take_picture package; }
finish
