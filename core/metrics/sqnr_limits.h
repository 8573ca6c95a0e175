// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace calibscope {

/// Limits between grades of SQNR, in dB: below `poor` a tensor is a trouble, below `good` it deserves a
/// look.
struct SqnrLimits
{
    double poor = 20.0;
    double good = 30.0;  ///< what sentences call the limit; not below `poor`

    bool operator==(const SqnrLimits&) const = default;
};

}  // namespace calibscope
