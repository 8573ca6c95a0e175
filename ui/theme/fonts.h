#pragma once

#include <QFont>

namespace calibscope {

/// Makes the bundled font known to Qt; further calls change nothing. Throws std::runtime_error if
/// Qt refuses it. Needs a QGuiApplication.
void loadFonts();

/// Family of the bundled font: digits of one width, Greek, superscripts.
[[nodiscard]] QString fontFamily();

/// The bundled font at a size in pixels: for pictures, whose text must not follow the desktop.
[[nodiscard]] QFont pictureFont(int pixelSize);

}  // namespace calibscope
