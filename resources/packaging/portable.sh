#!/usr/bin/env bash
# Packs calib and its libraries into one archive for machines that have neither. See README.md beside it.
set -euo pipefail

usage() {
    cat <<'END'
portable.sh CALIB ARCHIVE.tar.gz   packs that program with the libraries it is linked to
portable.sh --help

Needs ldd, strip and patchelf (Debian: binutils, patchelf). The archive runs where the C library is at least that of this machine, which
is printed: build on the oldest system that is to be reached.
END
}

fail() {
    printf 'portable.sh: %s\n' "$1" >&2
    exit 2
}

case ${1:-} in
    -h | --help) usage; exit 0 ;;
esac
[[ $# -eq 2 ]] || { usage >&2; exit 2; }
program=$1
archive=$2
[[ -x $program ]] || fail "$program: not there; build it with cmake --preset release"
for tool in strip patchelf; do
    command -v "$tool" >/dev/null || fail "$tool is missing; install it"
done

source "$(dirname "${BASH_SOURCE[0]}")/libraries.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$("$program" --version | awk '{ print $2 }')
folder=calib-$version-$(uname -m)
mkdir -p "$work/$folder/bin" "$work/$folder/lib"
install -m 755 "$program" "$work/$folder/bin/calib"

copy_libraries "$work/$folder/lib" "$program" || fail "$program is linked to something that is not there"

strip "$work/$folder/bin/calib"
# Found beside the program, wherever the folder is.
patchelf --force-rpath --set-rpath "\$ORIGIN/../lib" "$work/$folder/bin/calib"
cp "$(dirname "${BASH_SOURCE[0]}")/README.md" "$work/$folder/"

# The same bytes from the same files.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='@0' -C "$work" -cf - "$folder" | gzip -n -9 >"$archive"

printf '%s: %s libraries, %s bytes packed, needs %s\n' "$archive" "$(find "$work/$folder/lib" -type f | wc -l)" \
    "$(stat -c %s "$archive")" "$(needed_c_library "$work/$folder"/bin/calib "$work/$folder"/lib/*)"
