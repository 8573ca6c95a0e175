// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace calibscope {

/// Whether `left` comes first where runs of digits count as numbers and case is ignored: layer2
/// before layer10. The same whatever the desktop's language.
[[nodiscard]] bool naturalLess(QStringView left, QStringView right);

}  // namespace calibscope
