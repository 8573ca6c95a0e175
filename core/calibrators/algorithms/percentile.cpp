#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/histogram/histogram_percentile.h"
#include "core/calibrators/odd_data.h"
#include "core/stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace calibscope::calibration {

namespace {

/// Percents at which both ends of an affine range lie. Alpha is what is kept: what is cut off is
/// shared by the tails or cut off at each.
struct Ends
{
    double low;
    double high;
};

Ends endsOf(const Settings& settings)
{
    const double cut = 100.0 - settings.number("alpha");
    const double tail = settings.is("tails", "half") ? cut / 2.0 : cut;
    return {.low = tail, .high = 100.0 - tail};
}

Domain domainOf(const Scheme& scheme)
{
    return scheme.isAffine() ? Domain::Signed : Domain::Magnitude;
}

CalibratorNeeds needs(const CalibratorInput& input, const Extents& extents)
{
    if (isHistogramEstimator(input.settings.text("estimator"))) {
        if (!(extents.absMax() > 0.0))
            return {};
        return {.histograms = {histogramSpec(input.settings, domainOf(input.scheme))}};
    }
    if (!input.scheme.isAffine())
        return {.orders = percentileOrders(Domain::Magnitude, extents.finite,
                                           input.settings.number("alpha"))};
    const Ends ends = endsOf(input.settings);
    CalibratorNeeds needs{.orders = percentileOrders(Domain::Signed, extents.finite, ends.low)};
    for (const OrderRequest& request : percentileOrders(Domain::Signed, extents.finite, ends.high))
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
          m_domain(domainOf(input.scheme))
    {
        if (!isHistogramEstimator(m_estimator))
            return;
        m_histogram = profile.histogram(histogramSpec(input.settings, m_domain));
        if (m_histogram == nullptr)
            throw std::invalid_argument("percentile: its histogram was not collected");
    }

    [[nodiscard]] double at(double percent) const
    {
        return m_histogram != nullptr ? histogramPercentile(*m_histogram, percent, m_estimator)
                                      : exactPercentile(m_profile, m_domain, percent, m_estimator);
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

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const Estimate estimate(input, profile);
    const double alpha = input.settings.number("alpha");
    Calibration calibration = estimate.begin();
    bool isZero = false;
    if (input.scheme.isAffine()) {
        const Ends ends = endsOf(input.settings);
        const double low = estimate.at(ends.low);
        settleRange(calibration, {low, std::max(estimate.at(ends.high), low)});
        isZero = calibration.clip.range->width() == 0.0;
    } else {
        const double threshold = std::max(estimate.at(alpha), 0.0);
        settleThreshold(calibration, input.scheme, extents, threshold);
        isZero = threshold == 0.0;
    }
    if (isZero)
        calibration.notes.push_back("threshold 0: more than " + numberText(alpha) + " % are zero");
    return calibration;
}

std::vector<Parameter> parameters()
{
    return {{.id = "alpha",
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
             .help =
                 "What is taken between two neighbouring values (linear is NumPy's), or, from a "
                 "histogram, in the bin that reaches the share: its left edge, centre, right "
                 "edge, or linear in it.",
             .kind = Parameter::Kind::Choice,
             .fallback = "linear",
             .words = {"linear", "lower", "higher", "nearest", "hist-left", "hist-centre",
                       "hist-right", "hist-linear"}},
            {.id = "tails",
             .label = "Tails",
             .help = "Affine schemes: half of what is cut off at each end, or all of it at "
                     "each (full).",
             .kind = Parameter::Kind::Choice,
             .fallback = "half",
             .words = {"half", "full"}},
            binsParameter(2048, "Bins at the start of the histogram of |x| (affine: of x); for the "
                                "estimators hist-... only."),
            growthParameter("fixed", "How that histogram follows the range from batch to batch.")};
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
                      "pytorch-quantization, _compute_amax_percentile",
            .parameters = parameters(),
            .needs = needs,
            .calibrate = calibrate};
}

}  // namespace calibscope::calibration
