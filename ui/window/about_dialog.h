#pragma once

class QWidget;

namespace calibscope {

/// Opens a window with versions and licences.
void showAbout(QWidget& parent);

}  // namespace calibscope
