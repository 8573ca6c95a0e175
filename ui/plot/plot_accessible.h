// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace calibscope {

/// Makes plots known to screen readers from now on; further calls change nothing. A plot is a chart
/// without children: its name, else what it is over what; its summary and the titles of its axes as
/// the description; as the value what is under the pointer, or the chosen handle.
void makePlotsAccessible();

}  // namespace calibscope
