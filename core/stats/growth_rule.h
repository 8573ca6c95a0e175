// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "core/stats/histogram.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace calibscope {

/// Summary of the batches before one: all that a rule may know of the values that were counted.
struct ValuesBefore
{
    std::uint64_t finite = 0;
    std::uint64_t zeros = 0;  ///< of these

    void add(const Extents& batch)
    {
        finite += batch.finite;
        zeros += batch.zeros;
    }
};

/// How a histogram follows the range of its data from batch to batch.
struct GrowthRule
{
    int order = 0;        ///< position in lists
    std::string_view id;  ///< as in HistogramSpec::growth
    std::string_view title;
    std::string_view summary;           ///< one or two sentences
    int bins = 2048;                    ///< as published, at the start
    Domain domain = Domain::Magnitude;  ///< as published
    bool countsSigned = true;           ///< can count x; all rules can count |x|
    bool seesOrder = true;  ///< the order of the batches can decide the bins; else all batches
                            ///< are known beforehand
    /// Makes room for one more batch, before its values are counted: `batch` are that batch's
    /// extents, `whole` those of the whole tensor. A batch without finite values changes nothing.
    /// The bins follow from the extents alone: counts are moved, never read, so that a rule can be
    /// replayed before anything is counted (growth_epochs.h).
    void (*grow)(Histogram& histogram, const Extents& batch, const ValuesBefore& before,
                 const Extents& whole) = nullptr;
};

/// All growth rules, one file each in core/stats/growth, in their order.
[[nodiscard]] const std::vector<GrowthRule>& growthRules();

/// The rule of that id. Throws Error(Usage) that lists the known ones.
[[nodiscard]] const GrowthRule& growthRule(std::string_view id);

/// Whether the spec's rule can count in its domain: one that grows from 0 counts no x.
[[nodiscard]] bool canCount(const HistogramSpec& spec);

/// An empty histogram of that spec, ready for its rule's first batch. Throws Error(Usage) unless
/// canCount().
[[nodiscard]] Histogram emptyHistogram(const HistogramSpec& spec);

}  // namespace calibscope
