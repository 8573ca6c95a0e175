#!/usr/bin/env bash
# A real sshd on the loopback interface, with a host key, a user's key and a folder of its own, and the window's way
# through it: loopback.sh FOLDER-OF-PROGRAMS [COMMAND...]. Needs ssh and sshd (Debian: openssh-client, openssh-server);
# CALIBSCOPE_SSHD names another sshd, CALIBSCOPE_SSHD_OPTIONS further options of it. Nothing of the user's own ssh is read or
# written. With a command it is run in place of the tests, for a look by hand: "ssh://good/..." is reached there.
set -euo pipefail

programs=$(cd "${1:?FOLDER-OF-PROGRAMS}" && pwd)
shift
sshd=${CALIBSCOPE_SSHD:-$(command -v sshd || echo /usr/sbin/sshd)}
read -ra options <<<"${CALIBSCOPE_SSHD_OPTIONS:-}"
sample=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/resources/sample/sample.h5
for program in "$sshd" "$(command -v ssh)" "$programs/calib" "$programs/ssh_tests"; do
    [[ -x $program ]] || { echo "loopback.sh: $program is missing" >&2; exit 2; }
done

work=$(mktemp -d)
server=
cleanUp() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanUp EXIT
chmod 700 "$work"
port=$((20000 + RANDOM % 20000))
for key in host user stranger; do
    ssh-keygen -q -t ed25519 -N '' -f "$work/$key"
done
cat "$work/user.pub" >"$work/authorized"
cat >"$work/sshd_config" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $work/host
AuthorizedKeysFile $work/authorized
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
END
mkdir -p /run/sshd 2>/dev/null || true
"$sshd" "${options[@]}" -D -e -f "$work/sshd_config" >"$work/log" 2>&1 &
server=$!
for _ in {1..50}; do
    (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && break
    sleep 0.1
done
kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 2; }

# The window calls "ssh": this one, with the folder's own settings in place of the user's.
mkdir "$work/bin"
cat >"$work/bin/ssh" <<END
#!/bin/sh
exec "$(command -v ssh)" -F "$work/ssh_config" "\$@"
END
chmod 755 "$work/bin/ssh"
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/host.pub")" >"$work/known"
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/stranger.pub")" >"$work/wrong"
{
    printf 'Host good nokey strangehost lost\n HostName 127.0.0.1\n Port %s\n' "$port"
    printf 'Host good lost\n IdentityFile %s/user\n UserKnownHostsFile %s/known\n' "$work" "$work"
    printf 'Host nokey\n IdentityFile %s/stranger\n UserKnownHostsFile %s/known\n' "$work" "$work"
    printf 'Host strangehost\n IdentityFile %s/user\n UserKnownHostsFile %s/wrong\n' "$work" "$work"
    printf 'Host slow\n ProxyCommand sleep 600\n'
    printf 'Host wrongport\n HostName 127.0.0.1\n Port 1\n'
    printf 'Host *\n IdentitiesOnly yes\n IdentityAgent none\n StrictHostKeyChecking yes\n GlobalKnownHostsFile /dev/null\n'
} >"$work/ssh_config"

export PATH="$work/bin:$PATH"
export CALIBSCOPE_FAR_CALIB="$programs/calib" CALIBSCOPE_FAR_SAMPLE="$sample"
if (($# > 0)); then
    "$@"
    exit
fi
QT_QPA_PLATFORM=offscreen "$programs/ssh_tests" "[.sshd]"
