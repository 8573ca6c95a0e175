#!/usr/bin/env bash
# tests/mpi with MPICH's library and launcher in place of Open MPI's: mpich.sh FOLDER. FOLDER receives a bare Debian 12,
# about 3 GB, and keeps it for the next run, as slurm.sh does. Needs root and debootstrap.
set -euo pipefail

case ${1:-} in
    '' | -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/cluster/system.sh"
prepare "$1" mpich libmpich-dev
build -D MPI_C_COMPILER=mpicc.mpich -D MPIRUN=/usr/bin/mpirun.mpich
inside bash -euo pipefail -c '
    ldd /source/.build/check/bin/mpi/calib | grep libmpich
    mpichversion | head -n 1
    exec /source/.build/check/bin/mpi_tests --durations yes'
