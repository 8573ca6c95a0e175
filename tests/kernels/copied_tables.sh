#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# copied_tables.sh LIBRARY COMPILER SANITIZERS OBJDUMP: fails where a function of the library copies memory in one instruction, as GCC
# does with the tables of constants that it cannot make static: for AVX2, half of a kernel's time.
set -euo pipefail

library=$1 compiler=$2 sanitizers=$3 objdump=$4
skip() {
    echo "skipped: $1"
    exit 77
}
[ "$compiler" = GNU ] || skip "the compiler is $compiler, and only GCC copies tables like that"
[ -z "$sanitizers" ] || skip "the sanitizers' checks change how constants are kept"
[ -x "$(command -v "$objdump")" ] || skip "there is no objdump (binutils)"

code=$("$objdump" --disassemble --demangle --no-show-raw-insn "$library")
if ! grep -q 'ret' <<<"$code"; then
    echo "$library: no code found" >&2
    exit 1
fi
# UsedTarget chooses a target once, and computes nothing.
copies=$(awk '/^[0-9a-f]+ <.*>:$/ {name = $0} /rep movs/ && name !~ /::UsedTarget::/ {count[name]++} END {for (name in count) print count[name], name}' <<<"$code")
if [ -n "$copies" ]; then
    echo "copies of memory (rep movs), by function:" >&2
    echo "$copies" >&2
    exit 1
fi
