// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tbb::this_task_arena {

/// Plain threads never begin with another's work.
template <typename Work>
void isolate(const Work& work)
{
    work();
}

}  // namespace tbb::this_task_arena
