#!/usr/bin/env bash
# watched.sh COMMAND...: runs it and exits as it does; ends it with 124 when its session has used no processor for
# $CALIBSCOPE_PATIENCE seconds (120). A limit in seconds of the clock would end what a loaded machine only slows down.
set -u

readonly patience=${CALIBSCOPE_PATIENCE:-120} stalled=124
exec {never}<> <(:)

# Ticks of processor time of the session's processes, with those of their ended children; "waits" where one waits for a processor.
used() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' |
        awk -v session="$1" '$4 == session { ticks += $12 + $13 + $14 + $15; waits = waits || $1 == "R" }
            END { print waits ? "waits" : ticks + 0 }'
}

watch() {
    local before=-1 now idle=0 step=$((patience / 6 + 1))
    while ((idle < patience)); do
        read -rt $step -u "$never"
        now=$(used "$1")
        [[ $now == "$before" && $now != waits ]] && ((idle += step)) || idle=0
        before=$now
    done
    trap '' TERM  # the command's end must not end this before it has said so
    echo "no progress in $idle s: ended" >&2
    kill -KILL -- "-$1"
    exit $stalled
}

setsid "$@" &
readonly command=$!
watch "$command" &
readonly watcher=$!
trap 'kill -KILL -- "-$command"; kill "$watcher"' TERM INT
wait "$command"
status=$?
kill "$watcher" 2>/dev/null
wait "$watcher"
(($? != stalled)) || status=$stalled
exit $status
