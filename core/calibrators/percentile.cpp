#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/detail/odd_data.h"
#include "core/stats/percentile.h"

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

CalibratorNeeds needs(const CalibratorInput& input, const Extents& extents)
{
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

double percentile(const TensorProfile& profile, Domain domain, double percent,
                  std::string_view estimator)
{
    const PercentilePlace place = percentilePlace(profile.extents().finite, percent);
    const std::optional<double> lower = profile.order({.domain = domain, .rank = place.lower});
    const std::optional<double> upper = profile.order({.domain = domain, .rank = place.upper});
    if (!lower || !upper)
        throw std::invalid_argument("percentile: its order statistics were not collected");
    return percentileBetween(*lower, *upper, share(estimator, place));
}

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const std::string& estimator = input.settings.text("estimator");
    const double alpha = input.settings.number("alpha");
    Calibration calibration;
    bool isZero = false;
    if (input.scheme.isAffine()) {
        const Ends ends = endsOf(input.settings);
        settleRange(calibration, {percentile(profile, Domain::Signed, ends.low, estimator),
                                  percentile(profile, Domain::Signed, ends.high, estimator)});
        isZero = calibration.clip.range->width() == 0.0;
    } else {
        const double threshold = percentile(profile, Domain::Magnitude, alpha, estimator);
        settleThreshold(calibration, input.scheme, extents, threshold);
        isZero = threshold == 0.0;
    }
    if (isZero)
        calibration.notes.push_back("threshold 0: more than " + numberText(alpha) + " % are zero");
    return calibration;
}

}  // namespace

Calibrator percentile()
{
    return {
        .order = 30,
        .id = "percentile",
        .title = "Percentile",
        .summary = "The magnitude below which a given share of the values lies; affine: that "
                   "share of the values between both ends. Exact over all recorded values.",
        .source = "Rebellions (v3.0), Percentile; Qualcomm (v3.0), activations",
        .parameters = {{.id = "alpha",
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
                        .help = "What is taken between two neighbouring values; linear is NumPy's.",
                        .kind = Parameter::Kind::Choice,
                        .fallback = "linear",
                        .words = {"linear", "lower", "higher", "nearest"}},
                       {.id = "tails",
                        .label = "Tails",
                        .help =
                            "Affine schemes: half of what is cut off at each end, or all of it at "
                            "each (full).",
                        .kind = Parameter::Kind::Choice,
                        .fallback = "half",
                        .words = {"half", "full"}}},
        .needs = needs,
        .calibrate = calibrate};
}

}  // namespace calibscope::calibration
