// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tbb {

/// Nothing here ends a loop from outside.
class task_group_context
{
public:
    [[nodiscard]] static bool is_group_execution_cancelled() { return false; }
};

}  // namespace tbb
