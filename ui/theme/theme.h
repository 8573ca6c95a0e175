#pragma once

#include <QString>

class QApplication;

namespace calibscope {

enum class Theme {
    System,  ///< as light or dark as the desktop's own palette
    Light,
    Dark,
};

/// "system", "light", "dark": the words of the command line and of the settings file.
[[nodiscard]] QString themeText(Theme theme);
/// The theme of that word. Throws Error(Usage) for any other.
[[nodiscard]] Theme parseTheme(const QString& text);

/// Gives the application the bundled font, the Fusion style and the palette of the theme. May be
/// called again at any time; widgets hear of it by QEvent::PaletteChange.
void applyTheme(QApplication& application, Theme theme);

}  // namespace calibscope
