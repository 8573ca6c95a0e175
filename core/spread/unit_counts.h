// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/stats/growth_epochs.h"
#include "core/stats/histogram.h"
#include "core/stats/order_counter.h"
#include "core/stats/profile.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::spread {

/// The second pass over a tensor in units: each counts its batches in the bins of their epochs, and
/// the dropped bits at the places of order statistics. Whoever makes one of the same profile and
/// needs has the same epochs and places; counts of units add up in any order.
class UnitCounts
{
public:
    /// `profile`: of the first pass over all values. Values are no part of the needs.
    UnitCounts(const TensorProfile& profile, const CalibratorNeeds& needs);

    /// Parts of the work, which do not touch each other.
    [[nodiscard]] std::size_t parts() const { return m_histograms.size() + m_orders.size(); }
    /// Counts values of a batch of the whole tensor.
    void add(std::size_t part, std::uint64_t batch, std::span<const float> values);

    /// What was counted, sparse: equal counts are equal bytes.
    [[nodiscard]] std::string bytes() const;
    /// Adds what another one of the same profile and needs has counted. Throws Error(Input), a
    /// sentence that begins with `where`, for bytes that are damaged or of others.
    void addBytes(std::string_view bytes, const std::string& where);

    /// Adds the histograms and order statistics to the profile, when all units were added. Throws
    /// Error(Input) that begins with `where` if some are missing.
    void finish(TensorProfile& profile, const std::string& where) const;

private:
    struct OfHistogram
    {
        std::vector<GrowthEpoch> epochs;
        std::vector<Histogram> counted;  ///< by epoch; without bins while nothing was counted
    };

    [[nodiscard]] static Histogram& countedIn(OfHistogram& histogram, std::size_t epoch);

    std::vector<OfHistogram> m_histograms;
    std::vector<OrderCounter> m_orders;
    std::vector<OrderStatistic> m_known;  ///< that need no counting
    std::uint64_t m_values = 0;           ///< added, all included
};

}  // namespace calibscope::spread
