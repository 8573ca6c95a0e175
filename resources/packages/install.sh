#!/usr/bin/env bash
# install.sh GROUP...: installs the packages of these groups of debian.txt that are missing, without a question.
# As root with apt-get, else through sudo; where neither is possible it prints the command and fails.
# CALIBSCOPE_SKIP_INSTALL=1 takes what is there. Everything it says goes to stderr.
set -euo pipefail
exec 1>&2

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly list="$here/debian.txt"

if [[ ${CALIBSCOPE_SKIP_INSTALL:-} == 1 ]]; then
    exit 0
fi

# Lines of the groups in $@, comments and empty lines left out.
entries() {
    awk -v wanted=" $* " '
        /^#/ || /^[ \t]*$/ { next }
        /^\[/              { taken = index(wanted, " " substr($1, 2, length($1) - 2) " "); next }
        taken              { print $1 }' "$list"
}

# Names of what is installed, and of what that provides: Debian 13 has libqt6opengl6-dev only so.
installedNames() {
    dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' | sed -n 's/^installed //p' |
        sed 's/([^)]*)//g; s/,/ /g' | tr -s ' \n' ' '
}

isKnown() {
    [[ -n $(apt-cache madison "$1" 2>/dev/null) ]]
}

# Entries of which nothing is installed: neither the first alternative that the package lists know nor one before it.
missing() {
    local entry name installed
    installed=" $(installedNames)"
    for entry in $(entries "$@"); do
        for name in ${entry//|/ }; do
            [[ $installed == *" $name "* ]] && continue 2
            isKnown "$name" && break
        done
        echo "$entry"
    done
}

# For each entry in $@ the first alternative that the package lists know, else the first.
chosen() {
    local entry name
    for entry in "$@"; do
        for name in ${entry//|/ }; do
            isKnown "$name" && break
            name=${entry%%|*}
        done
        echo "$name"
    done | sort -u | paste -sd ' '
}

askTheUser() {
    cat <<EOF
Packages are missing and this user cannot install them ($1). As root, run
  apt-get update && apt-get install -y --no-install-recommends $(chosen "${@:2}")
and start this again; or set CALIBSCOPE_SKIP_INSTALL=1 to go on with what is there.
EOF
    exit 1
}

# Also waits for another apt, as on a machine that has just started.
apt() {
    "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
        apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null
}

install() {
    local names
    apt update || echo "The package lists could not be renewed; trying with those that are there."
    read -ra names <<<"$(chosen "$@")"
    echo "Installing ${names[*]}"
    apt install -y --no-install-recommends "${names[@]}"
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This system has no apt-get. Install what corresponds to these packages of Debian:"
    entries "$@" | paste -sd ' '
    echo "and start this again with CALIBSCOPE_SKIP_INSTALL=1."
    exit 1
fi

mapfile -t wanted < <(missing "$@")
if [[ ${#wanted[@]} -eq 0 ]]; then
    exit 0
fi

if [[ $(id -u) -eq 0 ]]; then
    asRoot=()
elif ! command -v sudo >/dev/null; then
    askTheUser "there is no sudo" "${wanted[@]}"
elif sudo -n true 2>/dev/null; then
    asRoot=(sudo)
elif [[ -t 0 ]]; then
    echo "Packages are missing: $(chosen "${wanted[@]}"). sudo may ask for your password to install them."
    sudo -v || askTheUser "sudo refused" "${wanted[@]}"
    asRoot=(sudo)
else
    askTheUser "sudo asks for a password, and there is no terminal to ask on" "${wanted[@]}"
fi

install "${wanted[@]}" || { echo "Once more, in case the network failed."; install "${wanted[@]}"; }
mapfile -t wanted < <(missing "$@")
if [[ ${#wanted[@]} -gt 0 ]]; then
    echo "Still missing after the installation: ${wanted[*]}"
    exit 1
fi
