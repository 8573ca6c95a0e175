#!/usr/bin/env bash
# Builds the window as one file that runs on other distributions: appimage.sh FOLDER. The folder receives AppDir, which runs as it is
# (AppDir/AppRun), and, where appimagetool (AppImage project) is in PATH, Calibscope-VERSION-MACHINE.AppImage made of it. Build on the
# oldest system that is to be reached; the version of the C library that is needed is printed.
set -euo pipefail

case ${1:-} in
    '' | -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
esac

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=$(realpath -m "$1")
app=$folder/AppDir
build=$root/.build/appimage
readonly here root folder app build
source "$here/libraries.sh"

"$root/resources/packages/install.sh" build window run appimage
cmake --preset release -S "$root" -B "$build" -D CMAKE_INSTALL_PREFIX=/usr >&2
cmake --build "$build" --parallel "${CALIBSCOPE_JOBS:-$(nproc)}" >&2
rm -rf "$app"
DESTDIR=$app cmake --install "$build" --strip >&2

# Qt's own parts that no program is linked to: windows of X11 and Wayland, pictures without a display, icons.
plugins=$(qmake6 -query QT_INSTALL_PLUGINS)
mkdir -p "$app/usr/plugins"
for part in platforms/libqxcb platforms/libqoffscreen platforms/libqwayland-generic platforms/libqwayland-egl iconengines/libqsvgicon \
    imageformats/libqsvg platforminputcontexts/libcomposeplatforminputcontextplugin wayland-shell-integration/libxdg-shell \
    wayland-decoration-client/libbradient wayland-graphics-integration-client/libqt-plugin-wayland-egl; do
    [[ -f $plugins/$part.so ]] || { echo "note: Qt has no $part here" >&2; continue; }
    install -D -m 755 "$plugins/$part.so" "$app/usr/plugins/$part.so"
    patchelf --force-rpath --set-rpath "\$ORIGIN/../../lib" "$app/usr/plugins/$part.so"
done
printf '[Paths]\nPrefix = ..\nPlugins = plugins\n' >"$app/usr/bin/qt.conf"

# Drivers and fonts are the machine's.
is_of_machine() {
    case $1 in
        libGL.so.* | libEGL.so.* | libGLX.so.* | libOpenGL.so.* | libGLdispatch.so.* | libdrm.so.* | libgbm.so.* | libX11.so.* | libX11-xcb.so.* | \
            libxcb.so.* | libfontconfig.so.* | libfreetype.so.* | libexpat.so.*) return 0 ;;
    esac
    return 1
}
copy_libraries "$app/usr/lib" "$app"/usr/bin/calib{,scope} "$app"/usr/plugins/*/*.so
for library in "$app"/usr/lib/*.so.*; do
    is_of_machine "$(basename "$library")" && rm "$library"
done
patchelf --force-rpath --set-rpath "\$ORIGIN/../lib" "$app"/usr/bin/calib{,scope}

ln -s usr/bin/calibscope "$app/AppRun"
ln -s usr/share/applications/calibscope.desktop "$app/calibscope.desktop"
ln -s usr/share/icons/hicolor/scalable/apps/calibscope.svg "$app/calibscope.svg"
ln -s calibscope.svg "$app/.DirIcon"

version=$("$app/usr/bin/calib" --version | awk '{ print $2 }')
printf '%s: %s libraries, needs %s\n' "$app" "$(find "$app/usr/lib" -name '*.so*' | wc -l)" \
    "$(needed_c_library "$app"/usr/bin/calib{,scope} "$app"/usr/lib/*.so.*)"
if command -v appimagetool >/dev/null; then
    appimagetool "$app" "$folder/Calibscope-$version-$(uname -m).AppImage"
else
    echo "note: there is no appimagetool: $app is not packed into one file"
fi
