#pragma once

class QKeyEvent;
class QWidget;

namespace calibscope {

/// Whether the key is the widget's own rather than a shortcut of the window: letters, digits and
/// the like without Ctrl or Alt, in a field where they are typed; the space bar and Enter also on
/// a button, in a table with check boxes and wherever else they press something.
[[nodiscard]] bool takesPlainKey(const QWidget& focus, const QKeyEvent& event);

}  // namespace calibscope
