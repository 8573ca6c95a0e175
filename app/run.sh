#!/usr/bin/env bash
# Installs what is missing, builds, and opens the application. See usage below.
set -euo pipefail

usage() {
    cat <<'EOF'
run.sh [FILE]                   opens the file, or the bundled sample
run.sh --report DIR [FILE...]   writes a report of the files, or of the sample, into DIR; needs no display
run.sh --build-only             only builds; the last line printed is the folder of calib and calibscope
run.sh --help

Missing packages are installed first (not with CALIBSCOPE_SKIP_INSTALL=1). Builds run CALIBSCOPE_JOBS compilers at
once, by default one for each processor. Everything but results goes to stderr.
EOF
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root
readonly build="$root/.build/release"
readonly log="$root/.build/release.log"

fail() {
    printf 'run.sh: %s\n' "$1" >&2
    exit "${2:-2}"
}

# On a terminal one line that is overwritten, as ninja does it.
showProgress() {
    local line
    while IFS= read -r line; do
        [[ -t 2 && $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        printf '\r  %s of %s ' "${BASH_REMATCH[@]:1:2}" >&2
    done
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

runLogged() {
    "$@" </dev/null 2>&1 | tee -a "$log" | showProgress
}

build() {
    mkdir -p "$root/.build"
    : >"$log"
    [[ -x $build/bin/calibscope ]] || echo "Building Calibscope, a few minutes the first time" >&2
    if ! (cd "$root" && runLogged cmake --preset release) ||
        ! runLogged cmake --build "$build" --parallel "${CALIBSCOPE_JOBS:-$(nproc)}"; then
        tail -n 40 "$log" >&2
        fail "the build failed; its end is above, all of it in $log" 1
    fi
}

mode=window
files=()
while [[ $# -gt 0 ]]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --build-only) mode=build ;;
        --report)
            [[ $# -ge 2 ]] || fail "--report: no folder is named; give run.sh --report DIR"
            mode=report
            reportFolder=$2
            shift ;;
        --) shift; files+=("$@"); break ;;
        -*) fail "$1: no such option; see run.sh --help" ;;
        *) files+=("$1") ;;
    esac
    shift
done
[[ ${#files[@]} -gt 0 ]] || files=("$root/resources/sample/sample.h5")
if [[ $mode == window && ${#files[@]} -gt 1 ]]; then
    fail "the window opens one file at a time; start it once for each"
fi
if [[ $mode == window && -z ${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-} ]]; then
    fail "there is no display (DISPLAY and WAYLAND_DISPLAY are not set); start it in a desktop session, or write a report with run.sh --report DIR"
fi

groups=(build window)
[[ $mode == window ]] && groups+=(run)
"$root/resources/packages/install.sh" "${groups[@]}"
build

case $mode in
    build) echo "$build/bin" ;;
    report) exec "$build/bin/calibscope" report "${files[@]}" -o "$reportFolder" ;;
    window) exec "$build/bin/calibscope" "${files[@]}" ;;
esac
