// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/layer_report.h"
#include "ui/models/table_model.h"

namespace calibscope {

struct EqualizationColumn
{
    enum { First, Second, Gain, FirstDb, SecondDb, Scales, Dominant, Notes };
};

/// Gain of equalizing the channels between layers.
[[nodiscard]] TableDescriptor<Equalization> equalizationTable();

}  // namespace calibscope
