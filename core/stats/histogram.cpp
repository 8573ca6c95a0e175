// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/histogram.h"

#include "core/base/number_text.h"
#include "core/kernels/bin_indices.h"
#include "core/stats/count_tables.h"
#include "core/stats/tool_edges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

double valueIn(Domain domain, double value)
{
    return domain == Domain::Magnitude ? std::abs(value) : value;
}

/// The bin whose edges enclose a value between the first and the last one. The share of the range
/// is at most a bin off where edges are rounded.
std::size_t enclosingBin(const Histogram& histogram, double value)
{
    const std::size_t last = histogram.counts.size() - 1;
    const double share = (value - histogram.low) / histogram.width();
    std::size_t bin = std::min(static_cast<std::size_t>(std::max(share, 0.0)), last);
    while (bin > 0 && value < histogram.edges[bin])
        --bin;
    while (bin < last && value >= histogram.edges[bin + 1])
        ++bin;
    return bin;
}

/// Counts where values outside the range are left out; `binOf` gives the bin of those inside.
template <typename BinOf>
void addInside(Histogram& histogram, std::span<const float> values, BinOf binOf)
{
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const double x = valueIn(histogram.spec.domain, static_cast<double>(value));
        if (histogram.range().contains(x))
            ++histogram.counts[binOf(x)];
        else
            ++histogram.leftOut;
    }
}

void addByShare(Histogram& histogram, std::span<const float> values)
{
    if (!(histogram.width() > 0.0)) {  // all in the first bin
        histogram.counts.front() += static_cast<std::uint64_t>(
            std::ranges::count_if(values, [](float value) { return std::isfinite(value); }));
        return;
    }
    const kernels::EqualBins equal{.low = histogram.low,
                                   .width = histogram.width(),
                                   .count = static_cast<std::uint32_t>(histogram.counts.size()),
                                   .ofMagnitude = histogram.spec.domain == Domain::Magnitude};
    constexpr std::size_t piece = 1024;
    std::array<std::uint32_t, piece + kernels::vectorRoom> bins;
    CountTables tables(histogram.counts, values.size());
    for (std::size_t first = 0; first < values.size(); first += piece) {
        const auto [kept, zeros] = kernels::binIndices(
            values.subspan(first, std::min(piece, values.size() - first)), equal, bins);
        tables.add(std::span<const std::uint32_t>(bins).first(kept));
        histogram.counts[histogram.binOf(0.0)] += zeros;
    }
    tables.finish();
}

}  // namespace

std::string_view domainText(Domain domain)
{
    switch (domain) {
    case Domain::Magnitude: return "magnitude";
    case Domain::Signed: return "signed";
    }
    return "magnitude";
}

std::string histogramText(const HistogramSpec& spec)
{
    return countText(static_cast<std::uint64_t>(spec.bins), "bin of ", "bins of ") +
           (spec.domain == Domain::Magnitude ? "|x|" : "x") + ", " + spec.growth;
}

double Histogram::at(double bins) const
{
    const double count = static_cast<double>(counts.size());
    if (edges.empty())
        return low + bins / count * (high - low);
    const double bin = std::clamp(std::floor(bins), 0.0, count - 1.0);
    const double edge = edges[static_cast<std::size_t>(bin)];
    const double next = edges[static_cast<std::size_t>(bin) + 1];
    const double share = bins - bin;
    return share == 1.0 ? next : edge + share * (next - edge);
}

std::uint64_t Histogram::total() const
{
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::size_t Histogram::binOf(double value) const
{
    const double x = valueIn(spec.domain, value);
    if (!(high > low) || x <= low || counts.empty())
        return 0;
    switch (binning) {
    case Binning::Share: break;
    case Binning::SingleShare:
        return torchBin(static_cast<float>(std::min(x, high)),
                        {static_cast<float>(low), static_cast<float>(high)}, counts.size());
    case Binning::Edges: return enclosingBin(*this, x);
    }
    const double position = (x - low) / width();
    // Also reached where x equals the upper edge: it belongs to the last bin and opens none of its
    // own.
    if (position >= static_cast<double>(counts.size()))
        return counts.size() - 1;
    return static_cast<std::size_t>(position);
}

void Histogram::add(std::span<const float> values)
{
    if (counts.empty())
        return;
    switch (binning) {
    case Binning::Share: addByShare(*this, values); break;
    case Binning::SingleShare: {
        const SingleRange range{static_cast<float>(low), static_cast<float>(high)};
        addInside(*this, values,
                  [&](double x) { return torchBin(static_cast<float>(x), range, counts.size()); });
        break;
    }
    case Binning::Edges:
        addInside(*this, values, [&](double x) { return enclosingBin(*this, x); });
        break;
    }
}

std::vector<std::string> notesOf(const Histogram& histogram)
{
    std::vector<std::string> notes = histogram.notes;
    if (histogram.leftOut > 0)
        notes.push_back(countText(histogram.leftOut,
                                  "value outside the histogram was left out, as the tool does",
                                  "values outside the histogram were left out, as the tool does"));
    return notes;
}

}  // namespace calibscope
