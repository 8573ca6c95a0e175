#!/usr/bin/env bash
# What tests/watched.sh ends, and what it lets go on.
set -u

watched="$(dirname "${BASH_SOURCE[0]}")/watched.sh"
failed=0
# check WHAT EXPECTED COMMAND...
check() {
    local status
    CALIBSCOPE_PATIENCE=2 timeout 60 "$watched" "${@:3}" 2>/dev/null
    status=$?
    ((status == $2)) || { echo "$1: exit code $status, not $2"; failed=1; }
}
check "what succeeds" 0 true
check "what fails" 3 bash -c 'exit 3'
check "what hangs" 124 sleep 50
check "what hangs in a child" 124 bash -c 'sleep 50; true'
check "what works for longer than the patience" 0 bash -c 'for i in {1..8}; do sleep 0.5; for j in {1..20000}; do :; done; done'
check "what works in children that end" 0 bash -c 'for i in {1..8}; do sleep 0.5; bash -c "for j in {1..20000}; do :; done"; done'
exit $failed
