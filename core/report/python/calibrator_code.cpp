// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/python/calibrator_code.h"

#include "core/report/python/python_code.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <array>
#include <string>

namespace calibscope::python {

namespace {

/// `name=value` for a parameter of NumberOrWord or Choice: words become Python texts.
std::string given(const Settings& settings, std::string_view id, std::string_view argument)
{
    return ", " + std::string(argument) + "=" + literal(std::string_view(settings.text(id)));
}

std::string number(const Settings& settings, std::string_view id, std::string_view argument)
{
    return ", " + std::string(argument) + "=" + literal(settings.number(id));
}

std::string whole(const Settings& settings, std::string_view id, std::string_view argument)
{
    return ", " + std::string(argument) + "=" + std::to_string(settings.integer(id));
}

std::string flag(std::string_view argument, bool value)
{
    return ", " + std::string(argument) + "=" + (value ? "True" : "False");
}

std::string noPythonFor(const Settings& settings, const std::string& id)
{
    return "no Python for " + id + "=" + settings.text(id) + ": it copies another tool";
}

HistogramSpec specOf(const Settings& settings, Domain domain)
{
    return {.growth = settings.text("growth"), .bins = settings.integer("bins"), .domain = domain};
}

/// Code of lines that end the function; a threshold is cut where the scheme wants a range.
Code returned(const CalibratorUse& use, const std::string& call,
              std::set<std::string, std::less<>> needs)
{
    if (!use.scheme.isAffine())
        return {.text = "    return " + call + "\n", .needs = std::move(needs)};
    needs.insert("as_range");
    return {.text =
                "    threshold, curve = " + call + "\n    return as_range(threshold, x), curve\n",
            .needs = std::move(needs)};
}

std::string noPythonOfHistogram(const HistogramSpec& spec)
{
    return "no Python for this calibrator with the growth rule " + spec.growth +
           ": it copies a tool's bin edges to the last bit";
}

/// The code with a histogram made in a line in front of it; `takesEdges`: it knows what to do with
/// edges that a tool has rounded.
Code withHistogram(Code code, const HistogramSpec& spec, bool takesEdges = false)
{
    if (hasOwnEdges(spec.growth) && !takesEdges)
        return {.text = {}, .problem = noPythonOfHistogram(spec)};
    Code made = histogramCode(spec);
    if (!made.problem.empty())
        return made;
    code.text = "    histogram = " + made.text + "\n" + code.text;
    code.needs.merge(made.needs);
    return code;
}

/// An argument where the range is not extended to 0.
std::string zeroInRange(const CalibratorUse& use)
{
    const bool isFree = use.scheme.isAffine() && use.settings.is("zero-in-range", "no");
    return isFree ? flag("zero_in_range", false) : std::string();
}

Code minMax(const CalibratorUse& use)
{
    const std::string name = use.scheme.isAffine() ? "min_max_range" : "min_max";
    const bool hasLeast = use.settings.number("least-range") > 0.0;
    return {.text = "    return " + name + "(x" + number(use.settings, "fraction", "fraction") +
                    (hasLeast ? number(use.settings, "least-range", "least") : "") +
                    zeroInRange(use) + "), ([], [])\n",
            .needs = {name}};
}

/// What data of zeros get; empty: the calibrator is run on them.
std::string answerToZeros(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const bool isCalibrated =
        use.calibrator == "fixed" ||
        (use.calibrator == "min-max" && settings.number("least-range") > 0.0) ||
        (use.calibrator == "centred-kl" && settings.is("all-zero", "searched"));
    if (isCalibrated)
        return {};
    if (!use.calibrator.starts_with("aimet-") || settings.is("zeros", "empty"))
        return use.scheme.isAffine() ? "(0.0, 0.0)" : "0.0";
    const double scale = 2.0 / (use.scheme.highLevel() - use.scheme.lowLevel());
    return use.scheme.isAffine() ? "(-1.0, 1.0)" : literal(scale * use.scheme.divisorValue());
}

Code fixed(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    for (const std::string_view end : {"threshold", "low", "high"})
        if (listedNumbers(settings.text(end)).size() > 1)
            return {.text = {},
                    .problem = "no Python for a " + std::string(end) +
                               " of each channel: look at one of them"};
    const std::string threshold = literal(settings.number("threshold"));
    if (!use.scheme.isAffine())
        return {.text = "    return " + threshold + ", ([], [])\n"};
    std::string ends = "    low, high = as_range(" + threshold + ", x)\n";
    for (const std::string_view end : {"low", "high"})
        if (!settings.is(end, "from-threshold"))
            ends += "    " + std::string(end) + " = " + literal(settings.number(end)) + "\n";
    return {.text = ends + "    return (low, high), ([], [])\n", .needs = {"as_range"}};
}

/// The place in a bin that an estimator takes; empty: it works on the values.
std::string_view placeInBin(const std::string& estimator)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> places = {
        {{"hist-left", "0.0"},
         {"hist-centre", "0.5"},
         {"hist-right", "1.0"},
         {"hist-linear", "None"}}};
    const auto* const found =
        std::ranges::find(places, estimator, &std::pair<std::string_view, std::string_view>::first);
    return found == places.end() ? std::string_view() : found->second;
}

bool hasTwoEnds(const CalibratorUse& use)
{
    return use.scheme.isAffine() && !use.settings.is("domain", "magnitude");
}

/// A threshold without a curve.
Code thresholdReturned(const CalibratorUse& use, const std::string& threshold,
                       std::set<std::string, std::less<>> needs)
{
    if (use.scheme.isAffine())
        needs.insert("as_range");
    return {.text = "    return " +
                    (use.scheme.isAffine() ? "as_range(" + threshold + ", x)" : threshold) +
                    ", ([], [])\n",
            .needs = std::move(needs)};
}

Code histogramPercentile(const CalibratorUse& use, std::string_view place)
{
    const double alpha = use.settings.number("alpha");
    const std::string function =
        hasOwnEdges(use.settings.text("growth")) ? "edge_percentile" : "histogram_percentile";
    const auto at = [&function, place](double share) {
        return function + "(histogram, " + literal(share) + ", " + std::string(place) + ")";
    };
    if (!hasTwoEnds(use))
        return withHistogram(
            thresholdReturned(use, "max(" + at(alpha / 100.0) + ", 0.0)", {function}),
            specOf(use.settings, Domain::Magnitude), true);
    const double tail = use.settings.is("tails", "half") ? (100.0 - alpha) / 2 : 100.0 - alpha;
    return withHistogram(
        {.text = "    low = " + at(tail / 100.0) + "\n    high = max(" + at(1.0 - tail / 100.0) +
                 ", low)\n    low, high = max(low, x.min()), min(high, x.max())\n" +
                 (zeroInRange(use).empty()
                      ? ""
                      : "    if high > low:\n        return (low, high), ([], [])\n") +
                 "    return (min(low, 0.0), max(high, 0.0)), ([], [])\n",
         .needs = {function}},
        specOf(use.settings, Domain::Signed), true);
}

/// What one call of numpy.percentile does not give: each batch for itself, elements by their
/// number, a symmetric threshold from both ends.
Code percentileEnds(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const bool isAffine = use.scheme.isAffine();
    const bool hasTwo = hasTwoEnds(use) || settings.is("domain", "signed");
    const bool isAveraged = settings.is("batches", "averaged");
    const bool isSingle = isAveraged && use.scheme.arithmetic != Arithmetic::Double;
    const double cut = 100.0 - settings.number("alpha");
    const double tail = isAffine && settings.is("tails", "half") ? cut / 2.0 : cut;
    Code code{.text = "    low, high = percentile_ends(" +
                      std::string(isAveraged ? "batches" : "[x]") +
                      number(settings, "alpha", "alpha") + given(settings, "estimator", "method") +
                      ", tail=" + literal(tail) + ", of=" + (hasTwo ? "np.positive" : "np.abs") +
                      flag("has_two_ends", hasTwo) + (isSingle ? ", rounded=single" : "") + ")\n",
              .needs = {"percentile_ends"}};
    if (isSingle)
        code.needs.insert("single");
    if (isAffine && !hasTwo)
        code.needs.insert("as_range");
    if (!zeroInRange(use).empty() && hasTwo)
        code.text += "    if high > low:\n        return (low, high), ([], [])\n";
    const std::string range =
        hasTwo ? "(min(low, 0.0), max(high, 0.0))" : "as_range(max(high, 0.0), x)";
    code.text += "    return " + (isAffine ? range : "max(high, -low, 0.0)") + ", ([], [])\n";
    return code;
}

Code percentile(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const bool isSignedThreshold = settings.is("domain", "signed") && !use.scheme.isAffine();
    const std::string_view place = placeInBin(settings.text("estimator"));
    if (!place.empty() && isSignedThreshold)
        return {.text = {}, .problem = noPythonFor(settings, "domain")};
    if (!place.empty())
        return histogramPercentile(use, place);
    if (isSignedThreshold || settings.is("batches", "averaged") ||
        settings.is("estimator", "element"))
        return percentileEnds(use);
    const std::string arguments =
        "(x" + number(settings, "alpha", "alpha") + given(settings, "estimator", "method");
    if (!hasTwoEnds(use))
        return thresholdReturned(use, "percentile" + arguments + ")", {"percentile"});
    return {.text = "    return percentile_range" + arguments + given(settings, "tails", "tails") +
                    zeroInRange(use) + "), ([], [])\n",
            .needs = {"percentile_range"}};
}

std::string_view entropyPlace(const Settings& settings)
{
    if (settings.is("threshold-at", "centre"))
        return "0.5";
    return settings.is("threshold-at", "right-edge") ? "1.0" : "1.5";
}

Code entropy(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const int levels =
        settings.is("levels", "qmax") ? use.scheme.qmax() : settings.integer("levels");
    const int first =
        settings.is("first-candidate", "levels") ? levels : settings.integer("first-candidate");
    std::string call = "entropy(histogram, x, levels=" + std::to_string(levels) +
                       ", first=" + std::to_string(first) +
                       given(settings, "last-candidate", "last") +
                       given(settings, "first-bin", "first_bin") +
                       flag("outliers_in_q", settings.is("outliers-in-q", "yes")) +
                       flag("over_all", settings.is("empty-bins", "all"));
    if (settings.is("empty-bins", "smooth"))
        call += number(settings, "epsilon", "epsilon");
    if (settings.is("direction", "coarse-to-truncated"))
        call += flag("reverse", true);
    call += ", threshold_at=" + std::string(entropyPlace(settings)) +
            given(settings, "level-by", "level_by") +
            flag("empty_wins", settings.is("empty-window", "wins")) + given(settings, "tie", "tie");
    if (settings.integer("step") != 1)
        call += whole(settings, "step", "step");
    if (settings.number("log-floor") > 0.0)
        call += number(settings, "log-floor", "log_floor");
    call += ")";
    return withHistogram(returned(use, call, {"entropy"}), specOf(settings, Domain::Magnitude));
}

/// As the calibrator has it: x where both signs matter and the rule can count them.
Domain mseDomain(const CalibratorUse& use)
{
    const bool isEven =
        use.scheme.kind == SchemeKind::SymmetricRestricted && !use.scheme.isUnsigned();
    const bool canCountSigned = growthRule(use.settings.text("growth")).countsSigned;
    return use.scheme.isAffine() || (!isEven && canCountSigned) ? Domain::Signed
                                                                : Domain::Magnitude;
}

Code mse(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const Domain domain = mseDomain(use);
    if (settings.is("growth", "fixed-torch"))
        return {.text = {}, .problem = noPythonOfHistogram(specOf(settings, domain))};
    const std::string name = use.scheme.isAffine() ? "mse_range" : "mse_threshold";
    std::string call = name + "(histogram, x, of=" + std::string(domainFunction(domain)) +
                       ", scheme=scheme" + given(settings, "density", "density") +
                       flag("has_points", settings.is("point-masses", "yes"));
    if (use.scheme.isAffine())
        call += flag("is_plain", use.scheme.scaleFloor == 0.0 && !use.scheme.powerOfTwo &&
                                     use.scheme.arithmetic == Arithmetic::Double);
    else {
        const bool isWord =
            settings.is("candidates", "edges") || settings.is("candidates", "centres");
        call += (isWord ? given(settings, "candidates", "candidates")
                        : whole(settings, "candidates", "candidates")) +
                whole(settings, "first-candidate", "first") + given(settings, "tie", "tie");
    }
    return withHistogram(
        {.text = "    return " + call + ")\n", .needs = {"equal_bins", "mse", name, "quantizer"}},
        specOf(settings, domain));
}

/// Of a calibrator that sums in float32 where the scheme's arithmetic is not double.
std::string noPythonForSums(const CalibratorUse& use)
{
    if (use.scheme.arithmetic == Arithmetic::Double)
        return {};
    return "no Python for " + std::string(use.calibrator) +
           " under arithmetic other than double: it copies a tool's order of rounding";
}

Code klWindow(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    if (std::string problem = noPythonForSums(use); !problem.empty())
        return {.text = {}, .problem = std::move(problem)};
    const int levels =
        settings.is("levels", "2^b-1") ? (1 << use.scheme.bits) - 1 : settings.integer("levels");
    const bool isSymmetric = !use.scheme.isAffine() && !use.scheme.isUnsigned();
    const std::string widest =
        use.scheme.isAffine() ? "(min(x.min(), 0.0), max(x.max(), 0.0))" : "np.abs(x).max()";
    const std::string call =
        "kl_window(histogram, x, scheme(" + widest + ").clip" + whole(settings, "bins", "bins") +
        ", levels=" + std::to_string(levels) + given(settings, "merge", "merge") +
        flag("zero_may_leave", settings.is("zero-may-leave", "yes")) +
        flag("takes_empty", settings.is("empty-window", "chosen")) +
        flag("is_symmetric", isSymmetric) + ")";
    std::string clip = use.scheme.isAffine() ? "(min(low, 0.0), max(high, 0.0))" : "high";
    if (use.scheme.isAffine() && settings.is("zero-may-leave", "yes"))
        clip = "(low, high)";
    return withHistogram(
        {.text = "    (low, high), curve = " + call + "\n    return " + clip + ", curve\n",
         .needs = {"kl_window"}},
        specOf(settings, Domain::Signed));
}

Code l2(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const std::string start = settings.is("start", "max")     ? "1"
                              : settings.is("start", "p99.9") ? "\"p99.9\""
                                                              : literal(settings.number("start"));
    return {.text = "    return l2(x, scheme, divisor=" + literal(use.scheme.divisorValue()) +
                    ", start=" + start + number(settings, "tolerance", "tolerance") +
                    whole(settings, "cap", "cap") + ")\n",
            .needs = {"l2"}};
}

Code aciq(const CalibratorUse& use)
{
    std::string count = "x.size";
    if (use.settings.is("count", "last-batch"))
        count = "last_count(batches)";
    else if (use.settings.is("count", "last-sample") && use.hasSamples)
        count = "last_count(batches[-1])";
    return thresholdReturned(
        use, "aciq(x, count=" + count + ", bits=" + std::to_string(use.scheme.bits) + ")",
        {"aciq"});
}

Code boundSearch(const CalibratorUse& use)
{
    if (std::string problem = noPythonForSums(use); !problem.empty())
        return {.text = {}, .problem = std::move(problem)};
    return {.text = "    return bound_search(x, scheme" + number(use.settings, "p", "p") +
                    whole(use.settings, "factors", "factors") +
                    number(use.settings, "least-factor", "least_factor") + ")\n",
            .needs = {"bound_search", "error_norm", "quantizer"}};
}

Code multiplierSweep(const CalibratorUse& use)
{
    if (std::string problem = noPythonForSums(use); !problem.empty())
        return {.text = {}, .problem = std::move(problem)};
    return {.text = "    return multiplier_sweep(x, scheme" +
                    number(use.settings, "start", "start") + number(use.settings, "stop", "stop") +
                    whole(use.settings, "steps", "steps") + ")\n",
            .needs = {"error_norm", "multiplier_sweep", "quantizer"}};
}

/// Lines that return the ends `low` and `high`, or the farther one.
std::string endsReturned(const CalibratorUse& use, const std::string& curve)
{
    const std::string clip =
        use.scheme.isAffine() ? "(min(low, 0.0), max(high, 0.0))" : "max(0.0, high, -low)";
    return "    return " + clip + ", " + curve + "\n";
}

Code centredKl(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const int levels =
        settings.is("levels", "2^b-1") ? (1 << use.scheme.bits) - 1 : settings.integer("levels");
    const std::string name = "centred_kl_" + settings.text("steps");
    const std::string call = name + "(histogram, x, levels=" + std::to_string(levels) + ")";
    const HistogramSpec spec{
        .growth = "centred-numpy", .bins = settings.integer("bins"), .domain = Domain::Signed};
    if (settings.is("steps", "mxnet"))
        return withHistogram(returned(use, call, {name}), spec, true);
    return withHistogram(
        {.text = "    (low, high), curve = " + call + "\n" + endsReturned(use, "curve"),
         .needs = {name}},
        spec, true);
}

Code fractionalEntropy(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    const int levels =
        settings.is("levels", "2^(b-1)") ? use.scheme.qmax() + 1 : settings.integer("levels");
    return withHistogram(
        returned(use, "fractional_entropy(histogram, x, levels=" + std::to_string(levels) + ")",
                 {"fractional_entropy"}),
        {.growth = "fixed", .bins = settings.integer("bins"), .domain = Domain::Magnitude});
}

Code ppqMse(const CalibratorUse& use)
{
    const bool isAffine = use.scheme.isAffine();
    const int levels = use.scheme.highLevel() - use.scheme.lowLevel() + 1;
    const std::string call = "ppq_mse(histogram, x, levels=" + std::to_string(levels) +
                             whole(use.settings, "interval", "interval") +
                             flag("has_two_ends", isAffine) + ")";
    const std::string clip = isAffine ? "(min(low, 0.0), max(high, 0.0))" : "high";
    return withHistogram(
        {.text = "    low, high = " + call + "\n    return " + clip + ", ([], [])\n",
         .needs = {"ppq_mse"}},
        {.growth = "fixed-torch",
         .bins = use.settings.integer("bins"),
         .domain = isAffine ? Domain::Signed : Domain::Magnitude});
}

/// Lines in front of AIMET's searches: what they work on, and the whole range without bins.
std::string aimetBegin(const CalibratorUse& use, const std::string& made)
{
    const std::string everything =
        use.scheme.isAffine() ? "(min(x.min(), 0.0), max(x.max(), 0.0))" : "np.abs(x).max()";
    return "    counted = " + made + "(batches)\n    if counted is None:\n        return " +
           everything + ", ([], [])\n";
}

std::string stepsOf(const CalibratorUse& use)
{
    return ", steps=" + std::to_string(use.scheme.highLevel() - use.scheme.lowLevel());
}

Code aimetDensity(const CalibratorUse& use, const std::string& call, const std::string& name)
{
    return {.text = aimetBegin(use, "averaged_density") + "    low, high = " + call + "\n" +
                    endsReturned(use, "([], [])"),
            .needs = {"averaged_density", "roundings", name}};
}

Code aimetPercentile(const CalibratorUse& use)
{
    return aimetDensity(use,
                        "aimet_percentile(counted" + number(use.settings, "alpha", "alpha") + ")",
                        "aimet_percentile");
}

Code aimetMse(const CalibratorUse& use)
{
    return aimetDensity(use,
                        "aimet_mse(counted" + stepsOf(use) +
                            flag("is_symmetric", !use.scheme.isAffine()) + ")",
                        "aimet_mse");
}

Code aimetTfEnhanced(const CalibratorUse& use)
{
    const std::string isSymmetric = flag("is_symmetric", !use.scheme.isAffine());
    return {.text =
                aimetBegin(use, "averaged_density") + "    encoding = aimet_tf_enhanced(counted" +
                stepsOf(use) + ", all_steps=" + std::to_string((1 << use.scheme.bits) - 1) +
                isSymmetric + number(use.settings, "clipping-weight", "weight") +
                ")\n    return encoding_range(encoding, x" + stepsOf(use) +
                ", divisor=" + literal(use.scheme.divisorValue()) + isSymmetric + "), ([], [])\n",
            .needs = {"averaged_density", "roundings", "aimet_tf_enhanced"}};
}

Code aimetEntropy(const CalibratorUse& use)
{
    constexpr int searchedBits = 8;
    return {.text = aimetBegin(use, "grown_counts") + "    low, high = aimet_entropy(counted" +
                    flag("is_symmetric", !use.scheme.isAffine()) +
                    flag("is_searched", use.scheme.bits == searchedBits) + ")\n" +
                    endsReturned(use, "([], [])"),
            .needs = {"roundings", "aimet_entropy"}};
}

Code torchHistogram(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    return {.text = "    low, high = torch_histogram(batches, x" + whole(settings, "bins", "bins") +
                    whole(settings, "upsampling", "upsampling") +
                    flag("cuts_ends", settings.is("ends", "whole")) +
                    flag("keeps_parts", settings.is("rebin", "parts")) +
                    ", levels=" + std::to_string(1 << use.scheme.bits) +
                    number(settings, "step", "step") + ")\n" + endsReturned(use, "([], [])"),
            .needs = {"torch_histogram"}};
}

struct Writer
{
    std::string_view calibrator;
    Code (*write)(const CalibratorUse&);
};

constexpr std::array<Writer, 18> writers = {{{"min-max", minMax},
                                             {"fixed", fixed},
                                             {"percentile", percentile},
                                             {"entropy", entropy},
                                             {"kl-window", klWindow},
                                             {"mse", mse},
                                             {"l2", l2},
                                             {"bound-search", boundSearch},
                                             {"multiplier-sweep", multiplierSweep},
                                             {"aciq", aciq},
                                             {"centred-kl", centredKl},
                                             {"fractional-entropy", fractionalEntropy},
                                             {"ppq-mse", ppqMse},
                                             {"aimet-percentile", aimetPercentile},
                                             {"aimet-mse", aimetMse},
                                             {"aimet-tf-enhanced", aimetTfEnhanced},
                                             {"aimet-entropy", aimetEntropy},
                                             {"torch-histogram", torchHistogram}}};

/// Calibrators whose search asks the scheme for levels: of data that are not known here.
constexpr std::array<std::string_view, 9> needLevels = {
    "mse",          "kl-window",         "l2",
    "bound-search", "multiplier-sweep",  "ppq-mse",
    "aimet-mse",    "aimet-tf-enhanced", "torch-histogram"};

std::string noPythonForUse(const CalibratorUse& use)
{
    if (std::ranges::find(writers, use.calibrator, &Writer::calibrator) == writers.end())
        return "no Python for the calibrator " + std::string(use.calibrator);
    if (takesData(use.scheme) && std::ranges::find(needLevels, use.calibrator) != needLevels.end())
        return "no Python for unsigned=when-positive with " + std::string(use.calibrator) +
               ": choose divisor=2^b-1 or qmax instead";
    return {};
}

}  // namespace

Code calibratorCode(const CalibratorUse& use, std::string_view functionName)
{
    if (std::string problem = noPythonForUse(use); !problem.empty())
        return {.text = {}, .problem = std::move(problem)};
    const auto* const writer = std::ranges::find(writers, use.calibrator, &Writer::calibrator);
    Code code = writer->write(use);
    if (!code.problem.empty())
        return code;
    std::string begin = "def " + std::string(functionName) +
                        "(batches):\n    x = finite(batches)\n    if x.size == 0:\n"
                        "        return None, ([], [])\n";
    if (const std::string answer = answerToZeros(use); !answer.empty())
        begin += "    if not x.any():\n        return " + answer + ", ([], [])\n";
    code.text = begin + code.text;
    code.needs.insert("read");
    return code;
}

}  // namespace calibscope::python
