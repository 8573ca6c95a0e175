// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/entropy_settings.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace calibscope {

namespace {

EmptyBins emptyBins(std::string_view word)
{
    if (word == "spread")
        return EmptyBins::Spread;
    return word == "smooth" ? EmptyBins::Smooth : EmptyBins::All;
}

}  // namespace

EntropyRule entropyRule(const CalibratorInput& input)
{
    const Settings& settings = input.settings;
    const int levels =
        settings.is("levels", "qmax") ? input.scheme.qmax() : settings.integer("levels");
    return {.levels = static_cast<std::size_t>(levels),
            .outliersInQ = settings.is("outliers-in-q", "yes"),
            .emptyBins = emptyBins(settings.text("empty-bins")),
            .epsilon = settings.number("epsilon"),
            .coarseFirst = settings.is("direction", "coarse-to-truncated"),
            .levelsByEdge = settings.is("level-by", "edge"),
            .logFloor = settings.number("log-floor")};
}

std::vector<std::uint64_t> entropyCounts(const Histogram& histogram, const Settings& settings)
{
    std::vector<std::uint64_t> counts = histogram.counts;
    if (settings.is("first-bin", "discarded"))
        counts.front() = 0;
    if (settings.is("first-bin", "copied"))
        counts.front() = counts.at(1);
    if (settings.is("first-bin", "share-replaced")) {
        constexpr double emptied = 0.002;
        const auto first =
            static_cast<std::ptrdiff_t>(static_cast<double>(counts.size()) * emptied);
        std::fill_n(counts.begin(), first, 0U);
        counts[static_cast<std::size_t>(first)] = 1;
    }
    return counts;
}

EntropyTrials entropyTrials(const CalibratorInput& input, const Histogram& histogram, double absMax)
{
    const Settings& settings = input.settings;
    return {.first = settings.is("first-candidate", "levels")
                         ? entropyRule(input).levels
                         : static_cast<std::size_t>(settings.integer("first-candidate")),
            .last = settings.is("last-candidate", "max") ? histogram.binOf(absMax)
                                                         : histogram.counts.size() - 1};
}

double entropyThreshold(std::size_t trial, const Histogram& histogram, const Settings& settings)
{
    const double bin = static_cast<double>(trial);
    if (settings.is("threshold-at", "centre"))
        return histogram.at(bin + 0.5);
    return histogram.at(bin + (settings.is("threshold-at", "right-edge") ? 1.0 : 1.5));
}

}  // namespace calibscope
