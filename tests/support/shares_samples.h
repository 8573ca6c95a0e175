// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/shares_content.h"

#include <utility>
#include <vector>

namespace calibscope::test {

inline const QColor colorOfA(0x0072b2);
inline const QColor colorOfB(0xd55e00);

/// Two recordings of magnitudes in bins of width 1 from 0 on; a value is a hundredth of one.
[[nodiscard]] inline SharesMark sharesOf(std::vector<double> a, std::vector<double> b)
{
    SharesMark mark;
    mark.shares.range = {0.0, static_cast<double>(a.size())};
    mark.shares.a = std::move(a);
    mark.shares.b = std::move(b);
    mark.leastShare = 0.01;
    mark.colorOfA = colorOfA;
    mark.colorOfB = colorOfB;
    return mark;
}

}  // namespace calibscope::test
