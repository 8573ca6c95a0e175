#!/usr/bin/env bash
# Fuzzes for long, by hand: fuzz.sh [SECONDS [TARGET...]], one hour of each target by default. See tests/fuzz/short.sh.
exec "$(dirname "${BASH_SOURCE[0]}")/../fuzz/short.sh" "${1:-3600}" "${@:2}"
