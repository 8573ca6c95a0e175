// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/histogram/histogram_percentile.h"
#include "core/calibrators/observer/observed_batches.h"
#include "core/calibrators/odd_data.h"
#include "core/calibrators/percentile/batch_orders.h"
#include "core/stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

namespace calibscope::calibration {

namespace {

/// Whether the tails share what is cut off; symmetric schemes that look at both ends cut off all of
/// it at each.
bool hasHalfTails(const CalibratorInput& input)
{
    return input.scheme.isAffine() && input.settings.is("tails", "half");
}

/// Percent that is cut off at each end. Alpha is what is kept.
double tailOf(const CalibratorInput& input)
{
    const double cut = 100.0 - input.settings.number("alpha");
    return hasHalfTails(input) ? cut / 2.0 : cut;
}

/// Whether both ends are percentiles of x; else the threshold is one of |x|.
bool hasTwoEnds(const CalibratorInput& input)
{
    const bool isByScheme = input.scheme.isAffine() && input.settings.is("domain", "scheme");
    return isByScheme || input.settings.is("domain", "signed");
}

std::vector<Parameter> percentileHistogramParameters()
{
    return {binsParameter(2048, "Bins at the start of the histogram of |x| (affine: of x); for the "
                                "estimators hist-... only."),
            growthParameter("fixed", "How that histogram follows the range from batch to batch.")};
}

Domain domainOf(const CalibratorInput& input)
{
    return hasTwoEnds(input) ? Domain::Signed : Domain::Magnitude;
}

bool isByHistogram(const CalibratorInput& input)
{
    return isHistogramEstimator(input.settings.text("estimator"));
}

/// Whether each batch has percentiles of its own. Histograms are of all batches.
bool isByBatch(const CalibratorInput& input)
{
    return input.settings.is("batches", "averaged") && !isByHistogram(input);
}

/// An end that is asked for: the low one only where both ends of x are.
struct EndPlace
{
    bool isLow;
    PercentilePlace place;
};

/// Where the ends lie among `count` values.
std::vector<EndPlace> endPlaces(const CalibratorInput& input, std::uint64_t count)
{
    const bool hasTwo = hasTwoEnds(input);
    const double tail = tailOf(input);
    const double kept = hasTwo ? 100.0 - tail : input.settings.number("alpha");
    const auto placeOf = [&](double percent, double share) {
        if (!input.settings.is("estimator", "element"))
            return percentilePlace(count, percent);
        const auto element = static_cast<std::uint64_t>(static_cast<double>(count) * share);
        const std::uint64_t rank = std::min(element, count - 1);
        return PercentilePlace{.lower = rank, .upper = rank, .fraction = 0.0};
    };
    std::vector<EndPlace> places{{.isLow = false, .place = placeOf(kept, kept / 100.0)}};
    if (hasTwo)
        places.push_back({.isLow = true, .place = placeOf(tail, 1.0 - kept / 100.0)});
    return places;
}

CalibratorNeeds needsOfPercentile(const CalibratorInput& input, const Extents& extents)
{
    if (isByHistogram(input)) {
        if (!(extents.absMax() > 0.0))
            return {};
        return {.histograms = {histogramSpec(input.settings, domainOf(input))}};
    }
    if (isByBatch(input))
        return {.values = extents.absMax() > 0.0};
    CalibratorNeeds needs;
    if (extents.finite == 0)
        return needs;
    for (const auto& [isLow, place] : endPlaces(input, extents.finite)) {
        needs.orders.push_back({.domain = domainOf(input), .rank = place.lower});
        if (place.upper != place.lower)
            needs.orders.push_back({.domain = domainOf(input), .rank = place.upper});
    }
    return needs;
}

/// What the estimator takes between the two neighbouring values. Nearest: a tie goes to the even
/// rank, as numpy.around has it.
double share(std::string_view estimator, const PercentilePlace& place)
{
    if (estimator == "lower")
        return 0.0;
    if (estimator == "higher")
        return place.fraction > 0.0 ? 1.0 : 0.0;
    if (estimator == "nearest" && place.fraction == 0.5)
        return place.lower % 2 == 0 ? 0.0 : 1.0;
    return estimator == "nearest" ? std::nearbyint(place.fraction) : place.fraction;
}

/// Both ends by whatever estimator; the low one is 0 where |x| is looked at.
class Estimate
{
public:
    Estimate(const CalibratorInput& input, const TensorProfile& profile)
        : m_input(input), m_profile(profile), m_estimator(input.settings.text("estimator"))
    {}

    [[nodiscard]] Range ends() const
    {
        if (isByBatch(m_input))
            return averagedEnds();
        return isByHistogram(m_input) ? histogramEnds() : exactEnds();
    }
    /// What the calibration tells of the histogram.
    [[nodiscard]] Calibration begin() const
    {
        if (!isByHistogram(m_input))
            return {};
        Calibration calibration{.notes = notesOf(histogram()), .histogram = histogram().spec};
        if (m_input.settings.is("batches", "averaged"))
            calibration.notes.emplace_back(
                "batches=averaged has no effect: the histogram is of all batches");
        return calibration;
    }

private:
    [[nodiscard]] const Histogram& histogram() const
    {
        return neededHistogram(m_profile, histogramSpec(m_input.settings, domainOf(m_input)));
    }
    /// In the order of operations that tools have; the bins may reach beyond the data, both ends do
    /// not.
    [[nodiscard]] Range histogramEnds() const
    {
        if (!hasTwoEnds(m_input))
            return {0.0, histogramPercentile(histogram(), m_input.settings.number("alpha"),
                                             m_estimator)};
        const double share = tailOf(m_input) / 100.0;
        const double low = histogramQuantile(histogram(), share, m_estimator);
        const double high = histogramQuantile(histogram(), 1.0 - share, m_estimator);
        const Extents& extents = m_profile.extents();
        return {std::max(low, extents.min), std::min(std::max(high, low), extents.max)};
    }
    [[nodiscard]] double order(std::uint64_t rank) const
    {
        const std::optional<double> found =
            m_profile.order({.domain = domainOf(m_input), .rank = rank});
        if (!found)
            throw std::invalid_argument("percentile: its order statistics were not collected");
        return *found;
    }
    [[nodiscard]] Range exactEnds() const
    {
        Range range{0.0, 0.0};
        for (const auto& [isLow, place] : endPlaces(m_input, m_profile.extents().finite))
            (isLow ? range.low : range.high) = percentileBetween(
                order(place.lower), order(place.upper), share(m_estimator, place));
        return {range.low, std::max(range.high, range.low)};
    }
    /// Lower and upper neighbour of each end of each batch, in that order.
    [[nodiscard]] std::vector<BatchOrder> neighbours(const std::vector<Extents>& batches) const
    {
        std::vector<BatchOrder> orders;
        for (std::size_t batch = 0; batch < batches.size(); ++batch) {
            if (batches[batch].finite == 0)
                continue;
            for (const EndPlace& end : endPlaces(m_input, batches[batch].finite))
                for (const std::uint64_t rank : {end.place.lower, end.place.upper})
                    orders.push_back(
                        {.batch = batch, .request = {.domain = domainOf(m_input), .rank = rank}});
        }
        return orders;
    }
    /// The mean over the batches with a finite value; in float32 where the arithmetic is.
    [[nodiscard]] Range averagedEnds() const
    {
        if (m_input.values == nullptr)
            throw std::invalid_argument("percentile: its values were not given");
        const bool isSingle = m_input.scheme.arithmetic != Arithmetic::Double;
        const auto rounded = [isSingle](double value) {
            return isSingle ? nearestFloat32(value) : value;
        };
        const std::vector<Extents> batches = batchExtents(m_profile, *m_input.values);
        const std::vector<double> found = batchOrders(neighbours(batches), *m_input.values);
        Range sums{0.0, 0.0};
        double summed = 0.0;
        std::size_t next = 0;
        for (const Extents& batch : batches) {
            if (batch.finite == 0)
                continue;
            summed += 1.0;
            for (const auto& [isLow, place] : endPlaces(m_input, batch.finite)) {
                double& sum = isLow ? sums.low : sums.high;
                sum = rounded(sum + percentileBetween(found[next], found[next + 1],
                                                      share(m_estimator, place)));
                next += 2;
            }
        }
        const double low = rounded(sums.low / summed);
        return {low, std::max(rounded(sums.high / summed), low)};
    }

    const CalibratorInput& m_input;
    const TensorProfile& m_profile;
    const std::string& m_estimator;
};

/// Where a tail holds less than one value, the outermost values alone decide, whatever the others.
void noteFewValues(Calibration& calibration, const CalibratorInput& input, const Extents& extents)
{
    const bool hasTails = hasTwoEnds(input);
    const double tail = hasTails ? tailOf(input) : 100.0 - input.settings.number("alpha");
    constexpr double nearly = 1.0 - 1e-9;  // the difference from 100 is not a round number
    if (!(static_cast<double>(extents.finite) * tail < 100.0 * nearly) || tail <= 0.0)
        return;
    const auto enough = static_cast<std::uint64_t>(std::round(100.0 / tail));
    calibration.notes.push_back(
        std::string("fewer than ") + (hasTails && hasHalfTails(input) ? "2" : "1") +
        " / (1 - alpha) = " + numberText(enough) + " values: the outermost decide");
}

void noteIdleHistogram(Calibration& calibration, const CalibratorInput& input)
{
    const Settings& settings = input.settings;
    if (isByHistogram(input))
        return;
    for (const Parameter& parameter : percentileHistogramParameters())
        if (!settings.is(parameter.id, parameter.fallback))
            calibration.notes.push_back(parameter.id + "=" + settings.text(parameter.id) +
                                        " has no effect: the estimator " +
                                        settings.text("estimator") + " needs no histogram");
}

/// Both ends under whatever scheme; whether there is nothing between them.
bool settleEnds(Calibration& calibration, const CalibratorInput& input, const Extents& extents,
                const Range& ends)
{
    if (hasTwoEnds(input) && input.scheme.isAffine()) {
        settleFreeRange(calibration, input.settings, ends);
        return calibration.clip.range->width() == 0.0;
    }
    if (input.scheme.isAffine() && input.settings.is("zero-in-range", "no"))
        calibration.notes.emplace_back(
            "zero-in-range=no has no effect: a magnitude is the distance of both ends from 0");
    const double threshold = std::max({ends.high, 0.0 - ends.low, 0.0});
    settleThreshold(calibration, input.scheme, extents, threshold);
    return threshold == 0.0;
}

Calibration calibratePercentile(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const Estimate estimate(input, profile);
    Calibration calibration = estimate.begin();
    if (settleEnds(calibration, input, extents, estimate.ends()))
        calibration.notes.push_back("threshold 0: more than " +
                                    numberText(input.settings.number("alpha")) + " % are zero");
    noteFewValues(calibration, input, extents);
    noteIdleHistogram(calibration, input);
    return calibration;
}

std::vector<Parameter> parametersOfPercentile()
{
    std::vector<Parameter> all{
        {.id = "alpha",
         .label = "Kept share",
         .help = "Share of the values that is kept.",
         .kind = Parameter::Kind::Number,
         .fallback = "99.999",
         .least = 0.0,
         .greatest = 100.0,
         .step = 0.001,
         .unit = "%"},
        {.id = "estimator",
         .label = "Estimator",
         .help = "What is taken between two neighbouring values (linear is NumPy's), the element "
                 "whose number is the whole part of the share of the count, or, from a "
                 "histogram, in the bin that reaches the share: its left edge, centre, right "
                 "edge, or linear in it.",
         .kind = Parameter::Kind::Choice,
         .fallback = "linear",
         .words = {"linear", "lower", "higher", "nearest", "element", "hist-left", "hist-centre",
                   "hist-right", "hist-linear"}},
        choiceParameter("domain", "Domain",
                        "Affine schemes: both ends are percentiles of x, or one of |x| is "
                        "the distance of both (as for symmetric schemes), cut at the least "
                        "and greatest value. Signed: both ends under all schemes, a symmetric "
                        "threshold is the farther one, all of the rest cut off at each.",
                        {"scheme", "magnitude", "signed"}),
        {.id = "tails",
         .label = "Tails",
         .help = "Affine schemes: half of what is cut off at each end, or all of it at "
                 "each (full).",
         .kind = Parameter::Kind::Choice,
         .fallback = "half",
         .words = {"half", "full"},
         .schemes = Parameter::Schemes::Affine},
        choiceParameter("batches", "Batches",
                        "All values together, or the mean of what each batch gives.",
                        {"together", "averaged"}),
        zeroInRangeParameter()};
    std::ranges::move(percentileHistogramParameters(), std::back_inserter(all));
    return all;
}

}  // namespace

Calibrator percentile()
{
    return {.order = 30,
            .id = "percentile",
            .title = "Percentile",
            .summary =
                "The magnitude below which a given share of the values lies; affine: that "
                "share of the values between both ends. Exact over all recorded values, or from "
                "a histogram as other tools estimate it.",
            .source = "Rebellions (v3.0), Percentile; Qualcomm (v3.0), activations; hist-left: "
                      "pytorch-quantization, _compute_amax_percentile; ONNX Runtime, "
                      "compute_percentile",
            .parameters = parametersOfPercentile(),
            .needs = needsOfPercentile,
            .calibrate = calibratePercentile};
}

}  // namespace calibscope::calibration
