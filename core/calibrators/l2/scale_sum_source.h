// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/calibrators/l2/row_sums.h"
#include "core/calibrators/l2/scale_sums.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Gives the sums of one tensor or channel for scale after scale: of values held together where
/// they are few, else of values sorted once; by a pass over the file each time where they do not
/// fit.
class ScaleSumSource
{
public:
    /// Refers to `values`.
    ScaleSumSource(const CalibratorValues& values, std::uint64_t finiteCount,
                   const LevelRule& rule);

    /// Sums for that scale, which is above 0.
    [[nodiscard]] ScaleSums at(double scale);
    /// ScaleSums::error for each of these scales; one pass where a pass is needed. Requires memory
    /// for at least one value.
    [[nodiscard]] std::vector<double> errorsAt(std::span<const double> scales);
    /// Passes over a file that at() and errorsAt() took so far.
    [[nodiscard]] int passes() const { return m_passes; }
    [[nodiscard]] bool isFromFile() const
    {
        return !m_row && !m_sorted && !m_values.source.isInMemory;
    }

private:
    /// Calls `use` with the values block by block.
    template <typename Use>
    void pass(const Use& use);
    void addErrors(std::vector<float> part, std::span<const double> scales,
                   std::vector<CompensatedSum>& errors) const;

    const CalibratorValues& m_values;
    LevelRule m_rule;
    std::optional<RowSums> m_row;
    std::optional<SortedSums> m_sorted;
    int m_passes = 0;
};

}  // namespace calibscope
