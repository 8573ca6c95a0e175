#pragma once

#include <QColor>

namespace calibscope {

/// Colours of a heat picture after viridis (Smith and van der Walt, 2015): equal steps look equal,
/// to colour-blind eyes too. `share`, 0 to 1, is far from the background at 1: dark on light
/// ground, bright on dark ground; 0 can still be told from the background.
[[nodiscard]] QColor heatColor(double share, bool isDark);

}  // namespace calibscope
