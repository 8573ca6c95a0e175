#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/detail/curve_choice.h"
#include "core/calibrators/detail/odd_data.h"
#include "core/calibrators/detail/rescaled_counts.h"
#include "core/calibrators/detail/window_search.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <stdexcept>
#include <utility>

namespace calibscope::calibration {

namespace {

constexpr double mostBins = 8192;  // the search costs bins^2 / 2 logarithms
constexpr double mostLevels = 65535;

HistogramSpec specOf(const Settings& settings)
{
    return {.growth = settings.text("growth"),
            .bins = settings.integer("bins"),
            .domain = Domain::Signed};
}

CalibratorNeeds needs(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    return {.histograms = {specOf(input.settings)}};
}

/// Nothing clipped: what the search starts from.
ClipChoice wholeRange(const Scheme& scheme, const Extents& extents)
{
    const Range ends{std::min(extents.min, 0.0), std::max(extents.max, 0.0)};
    if (scheme.isAffine())
        return {.range = ends};
    return {.threshold = thresholdOver(scheme, ends)};
}

/// The counts over the range that the scheme gives to unclipped data, and its edges.
struct Target
{
    Range range;
    std::vector<std::uint64_t> counts;
    bool inFloat32;

    /// Lower edge of a bin; of the bin behind the last: the range's upper end.
    [[nodiscard]] double edge(std::size_t bin) const
    {
        if (inFloat32) {
            const float low = static_cast<float>(range.low);
            const float width =
                (static_cast<float>(range.high) - low) / static_cast<float>(counts.size());
            return static_cast<double>(low + static_cast<float>(bin) * width);
        }
        const double share = static_cast<double>(bin) / static_cast<double>(counts.size());
        return bin == counts.size() ? range.high : range.low + share * range.width();
    }
    [[nodiscard]] Range ends(const Window& window) const
    {
        return {edge(window.first), edge(window.last + 1)};
    }
    /// Whether its bins have a width in its arithmetic.
    [[nodiscard]] bool canBeSearched() const
    {
        return edge(1) > range.low && std::isfinite(edge(1)) && std::isfinite(range.width());
    }
};

Target targetOf(const CalibratorInput& input, const Histogram& histogram, const ClipChoice& whole)
{
    const bool inFloat32 = input.scheme.arithmetic != Arithmetic::Double;
    Target target{.range = makeQuantizer(input.scheme, whole).quantizer.clip,
                  .counts = {},
                  .inFloat32 = inFloat32};
    const auto most = static_cast<std::size_t>(input.settings.integer("bins"));
    target.counts.resize(std::min(histogram.counts.size(), most));
    if (target.canBeSearched())
        target.counts = rescaledCounts(histogram.counts, histogram.range(), target.range,
                                       target.counts.size(), inFloat32);
    return target;
}

WindowRule ruleOf(const CalibratorInput& input, const Target& target)
{
    const Settings& settings = input.settings;
    const int levels =
        settings.is("levels", "2^b-1") ? (1 << input.scheme.bits) - 1 : settings.integer("levels");
    const double bins = static_cast<double>(target.counts.size());
    return {.levels = static_cast<std::size_t>(levels),
            .splitsBins = settings.is("merge", "fractional"),
            .takesEmpty = settings.is("empty-window", "chosen"),
            .shrinksBothEnds = !input.scheme.isAffine() && !input.scheme.isUnsigned(),
            .zeroMayLeave = settings.is("zero-may-leave", "yes"),
            .zeroPlace = -target.range.low / target.range.width() * bins,
            .sumsInFloat32 = target.inFloat32};
}

/// The symmetric range that keeps both ends of a window: the end that is the larger share of its
/// end of the whole range decides, the other one follows.
Range evenedOut(const Target& target, const Range& ends)
{
    if (!(target.range.low < 0.0))
        return {0.0, ends.high};
    const double below = ends.low / target.range.low;
    const double above = ends.high / target.range.high;
    Range even = ends;
    if (below > above)
        even.high = below * target.range.high;
    else
        even.low = above * target.range.low;
    return target.inFloat32 ? Range{nearestFloat32(even.low), nearestFloat32(even.high)} : even;
}

Curve curveOf(const std::vector<Window>& windows, const Target& target, bool isSymmetric)
{
    Curve curve{.objective = "KL divergence", .unit = "nats"};
    for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
        const Range ends = target.ends(*window);
        curve.threshold.push_back(isSymmetric ? evenedOut(target, ends).high : ends.width() / 2);
        curve.value.push_back(window->divergence);
    }
    chooseLeast(curve, true);
    return curve;
}

void noteOddPick(Calibration& calibration, const Window& window, const Range& ends)
{
    const Curve& curve = calibration.curve;
    if (window.isEmpty)
        calibration.notes.emplace_back("an empty window was chosen: no value lies in it");
    if (curve.chosen == 0 && curve.value.size() > 1)
        calibration.notes.emplace_back("the last and narrowest window was chosen");
    if (!curve.ties.empty())
        calibration.notes.push_back(
            "tie: " + numberText(static_cast<std::uint64_t>(curve.ties.size())) +
            " more windows have the least divergence, the widest was taken");
    if (ends.low > 0.0 || ends.high < 0.0)
        calibration.notes.emplace_back("0 lay outside the chosen window, the range was extended");
}

void settle(Calibration& calibration, const CalibratorInput& input, const Target& target,
            const std::vector<Window>& windows)
{
    const bool isSymmetric = !input.scheme.isAffine() && !input.scheme.isUnsigned();
    calibration.curve = curveOf(windows, target, isSymmetric);
    const Window& window = windows[windows.size() - 1 - calibration.curve.chosen];
    const Range ends = target.ends(window);
    noteOddPick(calibration, window, ends);
    if (input.scheme.isAffine()) {
        settleRange(calibration, ends);
        return;
    }
    const Range even = evenedOut(target, ends);
    calibration.clip.threshold = even.high;
    if (input.scheme.divisor == Divisor::Ratio)
        calibration.clip.range = even;  // its width decides the scale
}

/// Why there is nothing to search; empty: there is.
std::string reasonToKeepAll(const Extents& extents, const Target& target, const WindowRule& rule)
{
    if (extents.min == extents.max)
        return "constant data: the whole range is kept";
    if (!target.canBeSearched())
        return "the bins are too narrow or too wide for the arithmetic: the whole range is kept";
    if (target.counts.size() < rule.levels)
        return "fewer bins than levels: the whole range is kept";
    return {};
}

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const HistogramSpec spec = specOf(input.settings);
    const Histogram* histogram = profile.histogram(spec);
    if (histogram == nullptr)
        throw std::invalid_argument("kl-window: its histogram was not collected");
    Calibration calibration{.notes = histogram->notes, .histogram = histogramText(spec)};
    const ClipChoice whole = wholeRange(input.scheme, extents);
    const Target target = targetOf(input, *histogram, whole);
    const WindowRule rule = ruleOf(input, target);
    const std::string reason = reasonToKeepAll(extents, target, rule);
    if (reason.empty()) {
        settle(calibration, input, target, searchWindows(target.counts, rule));
        return calibration;
    }
    calibration.notes.push_back(reason);
    calibration.clip = whole;
    return calibration;
}

std::vector<std::string> signedRules()
{
    std::vector<std::string> ids{"redistribute"};
    for (const GrowthRule& rule : growthRules())
        if (rule.countsSigned && rule.id != ids.front())
            ids.emplace_back(rule.id);
    return ids;
}

std::vector<Parameter> parameters()
{
    return {{.id = "bins",
             .label = "Bins",
             .help = "Bins of the histogram of x, and of the range that is searched.",
             .kind = Parameter::Kind::Integer,
             .fallback = "512",
             .least = 2,
             .greatest = mostBins,
             .step = 1.0},
            choiceParameter("growth", "Growth",
                            "How the histogram follows the range from batch to batch.",
                            signedRules()),
            {.id = "levels",
             .label = "Levels",
             .help = "Levels of a window's coarse form, and bins of the narrowest window; 2^b-1: "
                     "2^bits - 1.",
             .kind = Parameter::Kind::NumberOrWord,
             .fallback = "2^b-1",
             .least = 2,
             .greatest = mostLevels,
             .step = 1.0,
             .words = {"2^b-1"},
             .isWhole = true},
            choiceParameter(
                "merge", "Merge",
                "Levels of equal width that share the bins on their borders, or of equally many "
                "whole bins, the last level with what is left over.",
                {"fractional", "integer"}),
            choiceParameter(
                "zero-may-leave", "Zero may leave",
                "Whether the window may shrink beyond 0; no: the other side shrinks instead.",
                {"no", "yes"}),
            choiceParameter(
                "empty-window", "Empty window",
                "A window without counts is never taken, or has divergence 0 and is chosen, as "
                "in Glow.",
                {"never", "chosen"})};
}

}  // namespace

Calibrator klWindow()
{
    return {.order = 60,
            .id = "kl-window",
            .title = "KL over a window",
            .summary = "The range at which a histogram of x, cut at both ends, differs least from "
                       "its own coarse form, the window shrinking from the whole range. Curves are "
                       "against the threshold, under affine schemes and for unsigned data against "
                       "half the window's width.",
            .source = "Qualcomm (v3.0), activations: minimum KL divergence (the search is not "
                      "stated); Glow (2024), optimizeKL and rescaleHistogram; AIMET, entropy "
                      "analyzer",
            .parameters = parameters(),
            .hasCurve = true,
            .needs = needs,
            .calibrate = calibrate};
}

}  // namespace calibscope::calibration
