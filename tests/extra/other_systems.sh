#!/usr/bin/env bash
# Builds Calibscope and runs all its tests in a bare system of another release: other_systems.sh FOLDER [SUITE]. FOLDER
# receives the system, about 4 GB, and keeps it for the next run. SUITE is trixie (Debian 13) or noble (Ubuntu 24.04), by
# default trixie. Needs root and debootstrap; for noble also Ubuntu's keys (package ubuntu-keyring).
set -euo pipefail

case ${1:-} in
    '' | -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
suite=${2:-trixie}
system=$(realpath -m "$1")/$suite
case $suite in
    trixie) mirror=http://deb.debian.org/debian components=main ;;
    noble) mirror=http://archive.ubuntu.com/ubuntu components=main,universe ;;
    *) echo "$suite: neither trixie nor noble" >&2; exit 2 ;;
esac
readonly root suite system mirror components

if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "needs root and the package debootstrap" >&2
    exit 2
fi

if [[ ! -x $system/usr/bin/apt-get ]]; then
    mkdir -p "$system"
    debootstrap --variant=minbase --components="$components" "$suite" "$system" "$mirror"
fi
mkdir -p "$system/src" "$system/source"
cp /etc/resolv.conf "$system/etc/resolv.conf"

# The checkout is seen as /src and is not written to; its copy in /source is built. Mounts end with the shell.
export root system
exec unshare --mount bash -euo pipefail -c '
    mount --bind "$root" "$system/src"
    mount -o remount,bind,ro "$system/src"
    mount -t proc proc "$system/proc"
    mount --rbind /dev "$system/dev"
    exec chroot "$system" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        CALIBSCOPE_JOBS="${CALIBSCOPE_JOBS:-}" bash -euo pipefail -c "
            find /source -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
            tar -C /src --exclude=./.build --exclude=./.git -cf - . | tar -C /source -xf -
            [[ -n \$CALIBSCOPE_JOBS ]] || unset CALIBSCOPE_JOBS
            exec /source/tests/run.sh"
'
