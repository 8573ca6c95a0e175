#!/usr/bin/env bash
# Builds a Debian package with Debian's flags and checks it with lintian: deb.sh FOLDER. The folder receives
# calibscope_VERSION_ARCHITECTURE.deb; the build is .build/deb. DEBFULLNAME and DEBEMAIL name the maintainer.
set -euo pipefail

case ${1:-} in
    '' | -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -m "$1")
build=$root/.build/deb
readonly root folder build

"$root/resources/packages/install.sh" build window package
allowed=()
if [[ -z ${DEBEMAIL:-} ]]; then # a package for oneself
    DEBEMAIL=$(id -un)@$(hostname -f)
    allowed=(bogus-mail-host bogus-mail-host-in-debian-changelog root-in-contact)
fi
# The project has no home page to name, and no domain to build the component's id from. Debian 12's lintian does not know
# the tag, and takes an override of it for an error.
! lintian-explain-tags appstream-metadata-validation-failed >/dev/null 2>&1 || allowed+=(appstream-metadata-validation-failed)
export DEBEMAIL DEBFULLNAME=${DEBFULLNAME:-The Calibscope authors}
# The same commit gives the same dates.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
# The package has no debug information.
export DEB_CFLAGS_MAINT_STRIP=-g DEB_CXXFLAGS_MAINT_STRIP=-g

cd "$root"
cmake --preset package -B "$build" -D CALIBSCOPE_DEBIAN=ON -D CMAKE_BUILD_TYPE=None \
    -D CMAKE_INSTALL_PREFIX=/usr \
    -D CMAKE_CXX_FLAGS="$(dpkg-buildflags --get CPPFLAGS) $(dpkg-buildflags --get CXXFLAGS)" \
    -D CMAKE_EXE_LINKER_FLAGS="$(dpkg-buildflags --get LDFLAGS)" >&2
cmake --build "$build" --parallel "${CALIBSCOPE_JOBS:-$(nproc)}" >&2
mkdir -p "$folder"
(cd "$build" && cpack -G DEB -B "$folder" >&2)
rm -rf "$folder/_CPack_Packages"
package=$(ls -t "$folder"/calibscope_*.deb | head -n 1)
lintian --fail-on error,warning --tag-display-limit 0 ${allowed:+--suppress-tags "$(IFS=,; echo "${allowed[*]}")"} "$package" >&2
echo "$package"
