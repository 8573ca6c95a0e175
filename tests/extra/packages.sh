#!/usr/bin/env bash
# Installs a Debian package in a bare system, starts it from its desktop entry, opens a dump and a session as a double
# click does, and removes it again: packages.sh FOLDER SUITE FILE.deb. FOLDER receives the system, about 1 GB, anew each
# time, and pictures of the window. SUITE is bookworm or trixie. Needs root and debootstrap.
set -euo pipefail

if [[ $# -ne 3 ]]; then
    sed -n '2,4s/^# //p' "$0"
    exit 2
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
suite=$2
system=$(realpath -m "$1")/$suite-user
package=$(realpath "$3")
readonly root suite system package

if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "needs root and the package debootstrap" >&2
    exit 2
fi

rm -rf "$system"
mkdir -p "$system"
debootstrap --variant=minbase "$suite" "$system" http://deb.debian.org/debian >"$system.log"
cp /etc/resolv.conf "$system/etc/resolv.conf"
cp "$package" "$system/tmp/"
mkdir -p "$system/work/pictures"
cp "$root/resources/sample/sample.h5" "$system/work/a dump.h5"
printf '{"format": "calibscope session", "version": 3, "dumps": [{"path": "a dump.h5"}]}' >"$system/work/a session.calsession"

# A user's part: a display, a desktop that opens files by their type, and a look at the windows.
cat >"$system/work/user.sh" <<'USER'
set -euo pipefail
export QT_QPA_PLATFORM=xcb XDG_CURRENT_DESKTOP=X-Generic
cd /work

shown() {   # TEXT: waits for a window with that in its title
    local tenths
    for ((tenths = 0; tenths < 600; ++tenths)); do
        # xdotool's own search does not see the name that the window of the start page has.
        for id in $(xdotool search --onlyvisible --name '.*' 2>/dev/null); do
            [[ $(xdotool getwindowname "$id" 2>/dev/null) != *"$1"* ]] || return 0
        done
        sleep 0.1
    done
    echo "no window has the title $1" >&2
    return 1
}

window() {   # TEXT PICTURE: photographs that window once it has settled, and closes it
    shown "$1"
    sleep 4
    import -window root "pictures/$2.png"
    printf '%s: window "%s"\n' "$2" "$(xdotool getwindowname "$id")"
    pkill -x calibscope || true
    while pgrep --runstates DRS -x calibscope >/dev/null; do sleep 0.2; done
}

entry=/usr/share/applications/calibscope.desktop
gio launch "$entry" &
window Calibscope start
for file in "a dump.h5" "a session.calsession"; do
    type=$(gio info -a standard::content-type "$file" | sed -n 's/.*content-type: //p')
    echo "$file: $type, opened by $(xdg-mime query default "$type")"
    gio open "$file" &
    window "a dump.h5" "${file##*.}"
done
# A second start is over at once, and its dump is in the first one's window.
calibscope &
shown Calibscope
sleep 2
timeout 20 calibscope "a dump.h5"
window "a dump.h5" second-start
calib info "a dump.h5" --format csv | sed -n 1,2p
USER

# Everything that is neither the package manager's nor a user's.
listing() {
    (cd "$system" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./work -o -path ./root -o -path ./home \
        -o -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log -o -path './var/lib/dpkg/*' \) -prune -o -print | sort)
}

# With network=none its displays have numbers of their own, and what is opened reaches no one.
inside() {
    unshare --mount ${network:+--net} bash -euo pipefail -c '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        exec chroot "$1" env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            bash -euo pipefail -c "$2"' bash "$system" "$1"
}

inside 'apt-get -q update && apt-get -q install -y --no-install-recommends xvfb xauth xdotool imagemagick xdg-utils libglib2.0-bin \
    shared-mime-info desktop-file-utils hicolor-icon-theme procps man-db file && useradd -m user && chown -R user /work' >>"$system.log" 2>&1
inside 'dpkg -l | grep -c ^ii' >"$system.before"
listing >"$system.files"
begin=$(date +%s)
inside "apt-get -q install -y /tmp/$(basename "$package")" >>"$system.log" 2>&1
printf 'installed in %s s, %s packages with what it depends on, %s KiB its own\n' $(($(date +%s) - begin)) \
    $(($(inside 'dpkg -l | grep -c ^ii') - $(<"$system.before"))) "$(inside "dpkg-query -W -f '\${Installed-Size}' calibscope")"
inside 'man -w calib calibscope && calibscope --version && calib --version'
inside 'su user -c "calib scales \"/work/a dump.h5\" --tensor swish_13.tmp_0 --format json >/dev/null"'
network=none inside 'su user -c "xvfb-run -a -s \"-screen 0 1280x800x24\" bash /work/user.sh"'
inside 'apt-get -q purge -y calibscope && apt-get -q autoremove -y --purge' >>"$system.log" 2>&1
listing | diff "$system.files" - >"$system.left" || true
if grep -E '^>.*calib' "$system.left"; then
    echo "removal leaves these" >&2
    exit 1
fi
printf 'removed; pictures in %s\n' "$system/work/pictures"
