#pragma once

#include <QString>

class QWidget;

namespace calibscope {

/// The tour of the window as Markdown that stands alone: its pictures are left out, a link to
/// another page is its words.
[[nodiscard]] QString helpText();

/// Opens the tour in a window of its own.
void showHelp(QWidget& parent);

}  // namespace calibscope
