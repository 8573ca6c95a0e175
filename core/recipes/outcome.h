// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/base/settings.h"
#include "core/calibrators/calibrator.h"
#include "core/formats/granularity.h"
#include "core/quant/scheme.h"
#include "core/stats/extents.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace calibscope {

/// The granularity of a candidate: "tensor", "channel", "row" (of a matrix, along its other axis
/// than that of the channels), or "g32", groups of so many neighbours along the axis that a layer
/// sums a weight over (groupAxis()). Throws Error(Usage) for another word, and for tiles.
[[nodiscard]] Granularity parseGranularity(std::string_view text);

/// A tensor whose range another one takes, and how that range is found.
struct RangeSource
{
    std::string tensor;  ///< its name
    std::string path;    ///< of its dataset
    std::string calibrator;
    Settings settings;
    Scheme scheme;

    bool operator==(const RangeSource&) const = default;
};

/// A calibrator with everything resolved: what to run on a tensor, and where the choice came from.
struct Choice
{
    std::string recipe;  ///< empty if not from a recipe
    std::string preset;  ///< empty if not from a preset
    std::string calibrator;
    Settings settings;  ///< the calibrator's own parameters, then those of the scheme
    Scheme scheme;
    Granularity granularity = Granularity::Tensor;
    std::string note;  ///< of the recipe's rule, for example that an unknown role was taken for an
                       ///< activation
    std::vector<RangeSource> rangeFrom = {};  ///< takes the largest of their ranges in place of its
                                              ///< own; empty: its own

    /// The same numbers come out of both: all but recipe, preset and note are equal.
    [[nodiscard]] bool isSameComputation(const Choice& other) const;
};

/// Values of the metrics by id, in the catalogue's order; a metric without a value (no finite data)
/// is absent.
using MetricValues = std::vector<std::pair<std::string, double>>;

/// The metric of that id; nothing where it is absent.
[[nodiscard]] std::optional<double> metricIn(const MetricValues& metrics, std::string_view id);

/// Between what the exact values of estimated metrics lie for certain, both ends included; a metric
/// without a bound is absent.
struct MetricBounds
{
    MetricValues least;
    MetricValues most;

    [[nodiscard]] std::optional<Range> of(std::string_view id) const;
};

/// How far the exact value can lie from an estimate: the distance of the farther end. Infinite
/// where that end or the estimate is; 0 where both are the same infinity.
[[nodiscard]] double barOf(double estimate, const Range& bound);

/// Scale, metrics and counts of a tensor or of one channel.
struct ScaleRow
{
    ClipChoice clip;
    Quantizer quantizer;
    Extents extents;
    MetricValues metrics;
    MetricBounds bounds = {};  ///< of estimated metrics; empty for exact ones
    std::vector<std::string> notes;
    bool isExact = true;  ///< of the scale
    bool hasExactMetrics = false;

    [[nodiscard]] std::optional<double> metric(std::string_view id) const;
    /// barOf() an estimated metric; nothing for an exact one, and for one without a bound.
    [[nodiscard]] std::optional<double> bar(std::string_view id) const;
};

/// A calibrator's result on a tensor.
struct Outcome
{
    std::string file;
    std::string tensor;
    Role role = Role::Unknown;
    std::string op;
    Choice choice;
    std::optional<HistogramSpec> histogram;  ///< the one that it worked on, if any
    ScaleRow
        whole;  ///< per channel: of the widest channel, with the whole tensor's counts and metrics
    std::vector<ScaleRow> channels;  ///< empty for a scale per tensor
    Curve curve;  ///< of the tensor; empty per channel and where nothing is searched
    Trace trace;  ///< of the tensor; empty per channel and where nothing is iterated
    std::vector<Trace> channelTraces;  ///< of each channel, where they were asked for
    std::string problem;  ///< why there is no result, as a sentence; empty: there is one
    std::optional<std::uint64_t> channel = {};  ///< of the tensor, where it alone was looked at

    [[nodiscard]] bool isPerChannel() const { return !channels.empty(); }
};

}  // namespace calibscope
