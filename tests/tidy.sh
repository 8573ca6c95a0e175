#!/usr/bin/env bash
# What Clang 14 warns of and clang-tidy finds in core: tidy.sh [--all] [TEXT], only units with TEXT in their paths; with --all
# also what Clang warns of in the window, the programs and the tests. The sources of a folder are read together, as preset check
# compiles them, which takes a sixth of the time that they take one by one.
set -euo pipefail

[[ ${1:-} =~ ^(-h|--help)$ ]] && { sed -n '2,4s/^# //p' "$0"; exit 0; }
all=''
[[ ${1:-} == --all ]] && { all=1; shift; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${CALIBSCOPE_JOBS:-$(nproc)}
folder="$PWD/.build/clang"
readonly jobs folder

cmake --preset clang >/dev/null
# Generated headers and moc's output; nothing is compiled but precompiled headers.
cmake --build "$folder" --target calibscope_tables calibscope_ui_autogen >/dev/null
sed -n 's/^ *"command": "\(.*cmake_pch\.hxx\.cxx\)",\?$/\1/p' "$folder/compile_commands.json" | sed 's/\\\(["\\]\)/\1/g' |
    (cd "$folder" && xargs -d '\n' -P "$jobs" -n 1 sh -c)

mapfile -t units < <(sed -n 's/^ *"file": "\(.*\)".*/\1/p' "$folder/compile_commands.json" |
    grep -vE '/moc/|_autogen/|cmake_pch' | grep -F -- "${1:-/}")
((${#units[@]})) || { echo "${1:-/}: in no path of a unit" >&2; exit 2; }

# tidied PATTERN ARGUMENTS...: clang-tidy over the units whose paths match.
tidied() {
    local pattern=$1 found
    shift
    found=$(printf '%s\n' "${units[@]}" | grep "$pattern") || return 0
    xargs -d '\n' -P "$jobs" -n 1 clang-tidy --quiet -p "$folder" "$@" <<<"$found" 2>&1 |
        sed '/warnings\? \(generated\|treated as errors\|and [0-9]* errors\? generated\)\.\?$/d'
}

status=0
tidied "^\($folder\|$PWD\)/core/" || status=1
[[ -z $all ]] || tidied "^\($folder\|$PWD\)/\(app\|ui\|tests\)/" --checks='-*,clang-diagnostic-*,bugprone-unused-raii' || status=1
exit $status
