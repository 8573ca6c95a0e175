# Sourced by slurm.sh and mpich.sh: a bare Debian 12 in a folder, in which calib and tests/mpi are built.
# Needs root and debootstrap.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
export root

# prepare FOLDER PACKAGE...: $system with these packages and those that the build and tests/mpi need. Kept for the next run.
prepare() {
    system=$(realpath -m "$1")/bookworm
    shift
    if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
        echo "needs root and the package debootstrap" >&2
        exit 2
    fi
    if [[ ! -x $system/usr/bin/apt-get ]]; then
        mkdir -p "$system"
        debootstrap --variant=minbase bookworm "$system" http://deb.debian.org/debian
    fi
    mkdir -p "$system/src" "$system/source"
    cp /etc/resolv.conf "$system/etc/resolv.conf"
    export system
    # Daemons are not to be started by what installs them.
    printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d"
    chmod 755 "$system/usr/sbin/policy-rc.d"
    inside bash -euo pipefail -c '
        /src/resources/packages/install.sh build test mpi
        dpkg-query -W "$@" >/dev/null 2>&1 || { apt-get -q update && apt-get -q install -y --no-install-recommends "$@"; }
    ' _ "$@"
}

# inside COMMAND...: in the system, with the checkout as /src, which is not written to. Mounts and processes end with it. It is
# a machine of its own, without a network but where NETWORK is set.
inside() {
    local own=(--mount --pid --fork --kill-child --uts --ipc)
    [[ -n ${NETWORK-yes} ]] || own+=(--net)
    unshare "${own[@]}" bash -euo pipefail -c '
        mount --bind "$root" "$system/src"
        mount -o remount,bind,ro "$system/src"
        mount -t proc proc "$system/proc"
        mount -t sysfs sysfs "$system/sys"
        if [[ -z ${NETWORK-yes} ]]; then
            hostname node
            # No network but its own, which is not loopback: that is left out of looking up names, and by Open MPI.
            ip link set lo up
            ip link add net0 type veth peer name net1
            ip address add 10.9.0.1/24 dev net0
            ip link set net0 up
            ip link set net1 up
            mount -t tmpfs tmpfs "$system/run"
        fi
        mount --rbind /dev "$system/dev"
        mount -t tmpfs tmpfs "$system/dev/shm"
        exec chroot "$system" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            DEBIAN_FRONTEND=noninteractive "$@"
    ' _ "$@"
}

# build OPTION...: calib, calib with MPI and tests/mpi of a copy of the checkout, with these options of CMake.
build() {
    inside bash -euo pipefail -c '
        find /source -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
        tar -C /src --exclude=./.build --exclude=./.git -cf - . | tar -C /source -xf -
        cd /source
        # What was found for another library of MPI is looked for again.
        cmake --preset check -D CALIBSCOPE_WINDOW=OFF -U "MPI*" -U "CALIBSCOPE_MPIRUN*" "$@" >/source/.build.log
        cmake --build --preset check --target calib calib_with_mpi mpi_tests
    ' _ "$@"
}
