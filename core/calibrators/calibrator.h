// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/base/progress.h"
#include "core/base/settings.h"
#include "core/quant/quantizer.h"
#include "core/quant/scheme.h"
#include "core/stats/profile.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// A share of an objective, one value for each point of its curve.
struct CurvePart
{
    std::string name;  ///< "rounding"
    std::vector<double> value;
};

/// An objective against the threshold, one point per trial, ascending by threshold. Of an
/// affine clip range the objective along both of its ends through the chosen range: points below 0
/// move the low end, points above 0 the high end.
struct Curve
{
    std::string objective;  ///< "KL divergence"
    std::string unit;       ///< "nats"
    std::vector<double> threshold;
    std::vector<double> value;  ///< +inf for a trial that can't be chosen
    std::size_t chosen = 0;  ///< index of the chosen point; meaningless while there are no points
    std::vector<std::size_t> ties;  ///< further points with the same least value
    Range plateau;  ///< thresholds around the chosen point within 1 % of the least value
    std::optional<std::size_t> runnerUp = {};   ///< index of the best point outside the plateau
    std::optional<std::size_t> chosenLow = {};  ///< index of the chosen low end, below 0
    std::vector<CurvePart> parts = {};          ///< that add up to `value`; empty: not split
};

/// The steps of an iteration over scales, the start first, the result last.
struct Trace
{
    std::string objective;  ///< "squared error"
    std::string unit;       ///< empty: the square of the tensor's own
    std::vector<double> scale;
    std::vector<double> error;     ///< the objective at that scale
    std::uint64_t iterations = 0;  ///< updates computed, the one that changed nothing included
    bool hasConverged = false;     ///< a further update would change nothing
    std::optional<double> gridScale = {};  ///< the best scale of a grid, where one was tried
    std::optional<double> gridError = {};

    /// Error of the result over the least one of the grid: above 1 the iteration ended in a worse
    /// place. 1 where both are 0; nothing without a grid.
    [[nodiscard]] std::optional<double> gridRatio() const;
};

/// What a calibrator found for one tensor or channel.
struct Calibration
{
    ClipChoice clip;
    Curve curve;                                  ///< empty where nothing is searched
    Trace trace;                                  ///< empty where nothing is iterated
    std::vector<std::string> notes;               ///< why a pick is odd
    std::optional<HistogramSpec> histogram = {};  ///< the one that it worked on, if any
    bool isExact = true;
};

/// What a calibrator wants collected before it can run.
struct CalibratorNeeds
{
    std::vector<HistogramSpec> histograms;
    std::vector<OrderRequest> orders;
    bool values = false;  ///< all values, as often as it likes
};

/// The values of the tensor that is calibrated, for a calibrator that needs them.
struct CalibratorValues
{
    const ValueSource& source;
    std::uint64_t memoryBytes = 0;  ///< what the calibrator may hold beside the source
    const Progress& progress;       ///< of visits; may throw Cancelled
};

/// Settings and scheme of one calibration, resolved.
struct CalibratorInput
{
    const Settings& settings;
    const Scheme& scheme;
    const CalibratorValues* values = nullptr;  ///< given if it said that it needs them
    bool isChannel = false;  ///< one channel of a tensor that has a scale for each
};

/// An algorithm that chooses a clip range. Form, command line, CSV and documentation follow from
/// this descriptor.
struct Calibrator
{
    int order = 0;        ///< position in lists
    std::string_view id;  ///< "min-max"
    std::string_view title;
    std::string_view summary;  ///< one or two sentences
    std::string_view source;   ///< documents and sections it comes from
    std::vector<Parameter> parameters;
    bool hasCurve = false;
    bool isSymmetricOnly = false;  ///< refuses affine schemes with Error(Usage)
    bool isGivenByHand = false;    ///< the clip range is a setting, not found in the data
    bool seesOrder = false;        ///< the order of the batches can decide, in what it makes of the
                                   ///< values itself; that of its histograms is their growth rules'
    /// What it needs; called when the moments are known. Empty function: moments alone.
    std::function<CalibratorNeeds(const CalibratorInput&, const Extents&)> needs;
    /// The clip range. Pure: equal values give equal answers. Odd tensors (empty, constant, all
    /// zero, only NaN) have a written answer; never throws for data. Throws std::invalid_argument
    /// if something that it needs is missing.
    std::function<Calibration(const CalibratorInput&, const TensorProfile&)> calibrate;
};

/// Throws Error(Usage) that says what to do if the calibrator refuses such a scheme.
void checkScheme(const Calibrator& calibrator, const Scheme& scheme);

/// All calibrators, one file each in core/calibrators, in their order.
[[nodiscard]] const std::vector<Calibrator>& calibrators();
/// That one, or ownProgram(). Throws Error(Usage) that lists the known ones.
[[nodiscard]] const Calibrator& calibrator(std::string_view id);

}  // namespace calibscope
