#pragma once

#include "core/base/parameter.h"
#include "core/base/settings.h"
#include "core/quant/quantizer.h"
#include "core/quant/scheme.h"
#include "core/stats/profile.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// An objective against the threshold, one point per candidate, ascending by threshold.
struct Curve
{
    std::string objective;  ///< "KL divergence"
    std::string unit;       ///< "nats"
    std::vector<double> threshold;
    std::vector<double> value;  ///< +inf for a candidate that can't be chosen
    std::size_t chosen = 0;  ///< index of the chosen point; meaningless while there are no points
    std::vector<std::size_t> ties;  ///< further points with the same least value
    Range plateau;  ///< thresholds around the chosen point within 1 % of the least value
};

/// What a calibrator found for one tensor or channel.
struct Calibration
{
    ClipChoice clip;
    Curve curve;                     ///< empty where nothing is searched
    std::vector<std::string> notes;  ///< why a pick is odd
    std::string histogram;           ///< histogramText() of the one it worked on; empty without
    bool isExact = true;
};

/// What a calibrator wants collected before it can run.
struct CalibratorNeeds
{
    std::vector<HistogramSpec> histograms;
    std::vector<OrderRequest> orders;
};

/// Settings and scheme of one calibration, resolved.
struct CalibratorInput
{
    const Settings& settings;
    const Scheme& scheme;
};

/// An algorithm that chooses a clip range. Form, command line, CSV and documentation follow from
/// this descriptor.
struct Calibrator
{
    int order = 0;        ///< place in lists
    std::string_view id;  ///< "min-max"
    std::string_view title;
    std::string_view summary;  ///< one or two sentences
    std::string_view source;   ///< documents and sections it comes from
    std::vector<Parameter> parameters;
    bool hasCurve = false;
    /// What it needs; called when the moments are known. Empty function: moments alone.
    std::function<CalibratorNeeds(const CalibratorInput&, const Extents&)> needs;
    /// The clip range. Pure. Odd tensors (empty, constant, all zero, only NaN) have a written
    /// answer; never throws for data.
    std::function<Calibration(const CalibratorInput&, const TensorProfile&)> calibrate;
};

/// All calibrators, one file each in core/calibrators, in their order.
[[nodiscard]] const std::vector<Calibrator>& calibrators();
/// The calibrator of that id. Throws Error(Usage) that lists the known ones.
[[nodiscard]] const Calibrator& calibrator(std::string_view id);

}  // namespace calibscope
