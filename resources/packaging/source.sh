#!/usr/bin/env bash
# Packs the sources of a commit, by default of the current one: source.sh FOLDER [COMMIT]. The same commit gives the
# same bytes; the last line is the archive's SHA-256.
set -euo pipefail

case ${1:-} in
    '' | -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
commit=${2:-HEAD}
version=$(git -C "$root" show "$commit:CMakeLists.txt" | sed -n 's/^project(calibscope VERSION \([0-9.]*\).*/\1/p')
archive=$(realpath -m "$1")/calibscope-$version.tar.gz
readonly root commit version archive

mkdir -p "$(dirname "$archive")"
git -C "$root" -c core.abbrev=40 archive --format=tar --prefix="calibscope-$version/" "$commit" | gzip -9n >"$archive"
sha256sum "$archive"
