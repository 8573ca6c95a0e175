#pragma once

class QWidget;

namespace calibscope {

class ShortcutChoice;

/// Lists every action with its keys, and what mouse and keys do in a plot.
void showShortcuts(QWidget& parent, const ShortcutChoice& shortcuts);

}  // namespace calibscope
