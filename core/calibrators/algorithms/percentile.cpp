#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/histogram/histogram_percentile.h"
#include "core/calibrators/odd_data.h"
#include "core/stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>

namespace calibscope::calibration {

namespace {

/// Percent that is cut off at each end of an affine range. Alpha is what is kept: what is cut off
/// is shared by the tails or cut off at each.
double tailOf(const Settings& settings)
{
    const double cut = 100.0 - settings.number("alpha");
    return settings.is("tails", "half") ? cut / 2.0 : cut;
}

/// Whether both ends are percentiles of x; else the threshold is one of |x|.
bool hasTwoEnds(const CalibratorInput& input)
{
    return input.scheme.isAffine() && input.settings.is("domain", "scheme");
}

std::vector<Parameter> histogramParameters()
{
    return {binsParameter(2048, "Bins at the start of the histogram of |x| (affine: of x); for the "
                                "estimators hist-... only."),
            growthParameter("fixed", "How that histogram follows the range from batch to batch.")};
}

Domain domainOf(const CalibratorInput& input)
{
    return hasTwoEnds(input) ? Domain::Signed : Domain::Magnitude;
}

CalibratorNeeds needs(const CalibratorInput& input, const Extents& extents)
{
    if (isHistogramEstimator(input.settings.text("estimator"))) {
        if (!(extents.absMax() > 0.0))
            return {};
        return {.histograms = {histogramSpec(input.settings, domainOf(input))}};
    }
    if (!hasTwoEnds(input))
        return {.orders = percentileOrders(Domain::Magnitude, extents.finite,
                                           input.settings.number("alpha"))};
    const double tail = tailOf(input.settings);
    CalibratorNeeds needs{.orders = percentileOrders(Domain::Signed, extents.finite, tail)};
    for (const OrderRequest& request :
         percentileOrders(Domain::Signed, extents.finite, 100.0 - tail))
        needs.orders.push_back(request);
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

double exactPercentile(const TensorProfile& profile, Domain domain, double percent,
                       std::string_view estimator)
{
    const PercentilePlace place = percentilePlace(profile.extents().finite, percent);
    const std::optional<double> lower = profile.order({.domain = domain, .rank = place.lower});
    const std::optional<double> upper = profile.order({.domain = domain, .rank = place.upper});
    if (!lower || !upper)
        throw std::invalid_argument("percentile: its order statistics were not collected");
    return percentileBetween(*lower, *upper, share(estimator, place));
}

/// Percentiles of one tensor by the chosen estimator, from order statistics or from the histogram.
class Estimate
{
public:
    Estimate(const CalibratorInput& input, const TensorProfile& profile)
        : m_profile(profile),
          m_estimator(input.settings.text("estimator")),
          m_domain(domainOf(input))
    {
        if (!isHistogramEstimator(m_estimator))
            return;
        m_histogram = profile.histogram(histogramSpec(input.settings, m_domain));
        if (m_histogram == nullptr)
            throw std::invalid_argument("percentile: its histogram was not collected");
    }

    /// Of that percent of the values.
    [[nodiscard]] double at(double percent) const
    {
        return m_histogram != nullptr ? histogramPercentile(*m_histogram, percent, m_estimator)
                                      : exactPercentile(m_profile, m_domain, percent, m_estimator);
    }
    /// Both ends of a range that cuts off so many percent at each. Of a histogram in the order of
    /// operations that tools have; its bins may reach beyond the data, the ends do not.
    [[nodiscard]] Range ends(double tail) const
    {
        if (m_histogram == nullptr)
            return {at(tail), std::max(at(100.0 - tail), at(tail))};
        const double share = tail / 100.0;
        const double low = histogramQuantile(*m_histogram, share, m_estimator);
        const double high = histogramQuantile(*m_histogram, 1.0 - share, m_estimator);
        const Extents& extents = m_profile.extents();
        return {std::max(low, extents.min), std::min(std::max(high, low), extents.max)};
    }
    /// What the calibration tells of the histogram.
    [[nodiscard]] Calibration begin() const
    {
        if (m_histogram == nullptr)
            return {};
        return {.notes = notesOf(*m_histogram), .histogram = m_histogram->spec};
    }

private:
    const TensorProfile& m_profile;
    const std::string& m_estimator;
    Domain m_domain;
    const Histogram* m_histogram = nullptr;
};

/// Where a tail holds less than one value, the outermost values alone decide, whatever the others.
void noteFewValues(Calibration& calibration, const CalibratorInput& input, const Extents& extents)
{
    const bool hasTails = hasTwoEnds(input);
    const double tail = hasTails ? tailOf(input.settings) : 100.0 - input.settings.number("alpha");
    constexpr double nearly = 1.0 - 1e-9;  // the difference from 100 is no round number
    if (!(static_cast<double>(extents.finite) * tail < 100.0 * nearly) || tail <= 0.0)
        return;
    const auto enough = static_cast<std::uint64_t>(std::round(100.0 / tail));
    calibration.notes.push_back(
        std::string("fewer than ") + (hasTails && input.settings.is("tails", "half") ? "2" : "1") +
        " / (1 - alpha) = " + numberText(enough) + " values: the outermost decide");
}

void noteIdleHistogram(Calibration& calibration, const Settings& settings)
{
    if (isHistogramEstimator(settings.text("estimator")))
        return;
    for (const Parameter& parameter : histogramParameters())
        if (!settings.is(parameter.id, parameter.fallback))
            calibration.notes.push_back(parameter.id + "=" + settings.text(parameter.id) +
                                        " has no effect: the estimator " +
                                        settings.text("estimator") + " needs no histogram");
}

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const Estimate estimate(input, profile);
    const double alpha = input.settings.number("alpha");
    Calibration calibration = estimate.begin();
    bool isZero = false;
    if (hasTwoEnds(input)) {
        settleRange(calibration, estimate.ends(tailOf(input.settings)));
        isZero = calibration.clip.range->width() == 0.0;
    } else {
        const double threshold = std::max(estimate.at(alpha), 0.0);
        settleThreshold(calibration, input.scheme, extents, threshold);
        isZero = threshold == 0.0;
    }
    if (isZero)
        calibration.notes.push_back("threshold 0: more than " + numberText(alpha) + " % are zero");
    noteFewValues(calibration, input, extents);
    noteIdleHistogram(calibration, input.settings);
    return calibration;
}

std::vector<Parameter> parameters()
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
         .help = "What is taken between two neighbouring values (linear is NumPy's), or, from a "
                 "histogram, in the bin that reaches the share: its left edge, centre, right "
                 "edge, or linear in it.",
         .kind = Parameter::Kind::Choice,
         .fallback = "linear",
         .words = {"linear", "lower", "higher", "nearest", "hist-left", "hist-centre", "hist-right",
                   "hist-linear"}},
        choiceParameter("domain", "Domain",
                        "Affine schemes: both ends are percentiles of x, or one of |x| is "
                        "the distance of both (as for symmetric schemes), cut at the least "
                        "and greatest value.",
                        {"scheme", "magnitude"}),
        {.id = "tails",
         .label = "Tails",
         .help = "Affine schemes: half of what is cut off at each end, or all of it at "
                 "each (full).",
         .kind = Parameter::Kind::Choice,
         .fallback = "half",
         .words = {"half", "full"},
         .schemes = Parameter::Schemes::Affine}};
    std::ranges::move(histogramParameters(), std::back_inserter(all));
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
            .parameters = parameters(),
            .needs = needs,
            .calibrate = calibrate};
}

}  // namespace calibscope::calibration
