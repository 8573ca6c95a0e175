// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/statistics.h"
#include "ui/models/table_model.h"

namespace calibscope {

struct StatisticColumn
{
    enum { Name, A, B, Absolute, Relative, Word };
};

/// Numbers of a tensor in two recordings, and how far they are apart.
[[nodiscard]] TableDescriptor<StatisticPair> statisticsTable();

}  // namespace calibscope
