#pragma once

#include <QString>

class QWidget;

namespace calibscope {

class ShortcutChoice;

/// The tour of the window as Markdown that stands alone: its pictures are left out, a link to
/// another page is its words.
[[nodiscard]] QString helpText();

/// Opens the tour in a window of its own.
void showHelp(QWidget& parent);

/// Lists every action with its keys, and what mouse and keys do in a plot.
void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts);

/// Opens a window with versions and licences.
void showAbout(QWidget& parent);

}  // namespace calibscope
