#pragma once

class QWidget;

namespace calibscope {

/// Opens a window that lists the actions with their keys, and what mouse and keys do in a plot.
void showShortcuts(QWidget& parent);

}  // namespace calibscope
