#!/usr/bin/env bash
# Profiles under a real Slurm: slurm.sh FOLDER. FOLDER receives a bare Debian 12, about 3 GB, and keeps it for the next run;
# two machines of a cluster are started in it, with no network but their own, and end with the script. Nothing is
# installed outside. Needs root and debootstrap.
set -euo pipefail

case ${1:-} in
    '' | -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
esac

source "$(dirname "${BASH_SOURCE[0]}")/cluster/system.sh"
prepare "$1" slurmctld slurmd slurm-client munge procps python3-h5py
build
NETWORK='' inside python3 -B /src/tests/extra/cluster/slurm_checks.py /src /source/.build/check/bin
