// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "ui/queries/drift_reader.h"

#include <QString>

#include <optional>

namespace calibscope {

/// By how many steps of A's scale the values have moved on average; nothing while it is not known.
[[nodiscard]] std::optional<double> movedSteps(const DriftRow& row);
/// Whether nothing has drifted; false while it is not known.
[[nodiscard]] bool hasNoDrift(const DriftRow& row);
/// Whether something has drifted, NaN and infinities of one recording alone included; false while
/// it is not known, and where it can't be.
[[nodiscard]] bool hasDrifted(const DriftRow& row);
/// "B has 1 NaN, A none."; empty: neither has any, or both have.
[[nodiscard]] QString oddValuesSentence(const Extents& a, const Extents& b);

}  // namespace calibscope
