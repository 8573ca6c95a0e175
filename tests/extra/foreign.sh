#!/usr/bin/env bash
# All tests of preset check where nothing is as on a developer's machine: foreign.sh [ARGUMENTS OF ctest...]. Home and temporary
# folders with odd names, GNU FreeFont alone, no icon theme, German, another time zone. Packages: fonts-freefont-ttf locales.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
fonts=/usr/share/fonts/truetype/freefont
[[ -d $fonts && -e /usr/share/i18n/locales/de_DE ]] || {
    echo "foreign.sh needs the packages fonts-freefont-ttf and locales" >&2
    exit 2
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/foreign.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Zuhause von Ünal" "$folder/t m p" "$folder/share" "$folder/locales"
localedef -i de_DE -f UTF-8 "$folder/locales/de_DE.UTF-8"
cat >"$folder/fonts.conf" <<EOF
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$fonts</dir><cachedir>$folder/fonts</cachedir></fontconfig>
EOF

cd "$root"
for name in $(compgen -e XDG_) $(compgen -e LC_) $(compgen -e QT_); do
    unset "$name"
done
export HOME="$folder/Zuhause von Ünal" TMPDIR="$folder/t m p" FONTCONFIG_FILE="$folder/fonts.conf" XDG_DATA_DIRS="$folder/share" \
    LOCPATH="$folder/locales" LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 LANGUAGE=de TZ=Asia/Kathmandu QT_QPA_PLATFORM=offscreen
ctest --preset check --output-on-failure "$@"
