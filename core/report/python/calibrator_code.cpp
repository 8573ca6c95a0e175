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

/// The code with a histogram made in a line in front of it.
Code withHistogram(Code code, const HistogramSpec& spec)
{
    Code made = histogramCode(spec);
    if (!made.problem.empty())
        return made;
    code.text = "    histogram = " + made.text + "\n" + code.text;
    code.needs.merge(made.needs);
    return code;
}

Code minMax(const CalibratorUse& use)
{
    const std::string name = use.scheme.isAffine() ? "min_max_range" : "min_max";
    const bool hasLeast = use.settings.number("least-range") > 0.0;
    return {.text = "    return " + name + "(x" + number(use.settings, "fraction", "fraction") +
                    (hasLeast ? number(use.settings, "least-range", "least") : "") +
                    "), ([], [])\n",
            .needs = {name}};
}

/// Whether data of zeros get another answer than an empty range.
bool hasOwnAnswerToZeros(const CalibratorUse& use)
{
    return use.calibrator == "fixed" ||
           (use.calibrator == "min-max" && use.settings.number("least-range") > 0.0);
}

Code fixed(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
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
    const auto at = [place](double share) {
        return "histogram_percentile(histogram, " + literal(share) + ", " + std::string(place) +
               ")";
    };
    if (!hasTwoEnds(use))
        return withHistogram(
            thresholdReturned(use, "max(" + at(alpha / 100.0) + ", 0.0)", {"histogram_percentile"}),
            specOf(use.settings, Domain::Magnitude));
    const double tail = use.settings.is("tails", "half") ? (100.0 - alpha) / 2 : 100.0 - alpha;
    return withHistogram({.text = "    low = " + at(tail / 100.0) + "\n    high = max(" +
                                  at(1.0 - tail / 100.0) +
                                  ", low)\n    return (min(max(low, x.min()), 0.0), "
                                  "max(min(high, x.max()), 0.0)), ([], [])\n",
                          .needs = {"histogram_percentile"}},
                         specOf(use.settings, Domain::Signed));
}

Code percentile(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
    if (settings.is("domain", "signed") && !use.scheme.isAffine())
        return {.text = {}, .problem = noPythonFor(settings, "domain")};
    if (settings.is("batches", "averaged"))
        return {.text = {}, .problem = noPythonFor(settings, "batches")};
    if (settings.is("estimator", "element"))
        return {.text = {}, .problem = noPythonFor(settings, "estimator")};
    const std::string_view place = placeInBin(settings.text("estimator"));
    if (!place.empty())
        return histogramPercentile(use, place);
    const std::string arguments =
        "(x" + number(settings, "alpha", "alpha") + given(settings, "estimator", "method");
    if (!hasTwoEnds(use))
        return thresholdReturned(use, "percentile" + arguments + ")", {"percentile"});
    return {.text = "    return percentile_range" + arguments + given(settings, "tails", "tails") +
                    "), ([], [])\n",
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
    if (settings.is("first-bin", "share-replaced"))
        return {.text = {}, .problem = noPythonFor(settings, "first-bin")};
    if (settings.integer("step") != 1)
        return {.text = {}, .problem = noPythonFor(settings, "step")};
    if (settings.number("log-floor") > 0.0)
        return {.text = {}, .problem = noPythonFor(settings, "log-floor")};
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
            flag("empty_wins", settings.is("empty-window", "wins")) +
            given(settings, "tie", "tie") + ")";
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
    const std::string name = use.scheme.isAffine() ? "mse_range" : "mse_threshold";
    std::string call = name + "(histogram, x, of=" + std::string(domainFunction(domain)) +
                       ", scheme=scheme" + given(settings, "density", "density") +
                       flag("has_points", settings.is("point-masses", "yes"));
    if (use.scheme.isAffine())
        call += flag("is_plain", use.scheme.scaleFloor == 0.0 && !use.scheme.powerOfTwo);
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

Code klWindow(const CalibratorUse& use)
{
    const Settings& settings = use.settings;
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
    const std::string clip = use.scheme.isAffine() ? "(min(low, 0.0), max(high, 0.0))" : "high";
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
    const bool isLast = use.settings.is("count", "last-batch");
    return thresholdReturned(
        use,
        "aciq(x, count=" + std::string(isLast ? "last_count(batches)" : "x.size") +
            ", bits=" + std::to_string(use.scheme.bits) + ")",
        {"aciq"});
}

Code boundSearch(const CalibratorUse& use)
{
    return {.text = "    return bound_search(x, scheme" + number(use.settings, "p", "p") +
                    whole(use.settings, "factors", "factors") +
                    number(use.settings, "least-factor", "least_factor") + ")\n",
            .needs = {"bound_search", "error_norm", "quantizer"}};
}

Code multiplierSweep(const CalibratorUse& use)
{
    return {.text = "    return multiplier_sweep(x, scheme" +
                    number(use.settings, "start", "start") + number(use.settings, "stop", "stop") +
                    whole(use.settings, "steps", "steps") + ")\n",
            .needs = {"error_norm", "multiplier_sweep", "quantizer"}};
}

struct Writer
{
    std::string_view calibrator;
    Code (*write)(const CalibratorUse&);
};

constexpr std::array<Writer, 10> writers = {{{"min-max", minMax},
                                             {"fixed", fixed},
                                             {"percentile", percentile},
                                             {"entropy", entropy},
                                             {"kl-window", klWindow},
                                             {"mse", mse},
                                             {"l2", l2},
                                             {"bound-search", boundSearch},
                                             {"multiplier-sweep", multiplierSweep},
                                             {"aciq", aciq}}};

}  // namespace

Code calibratorCode(const CalibratorUse& use, std::string_view functionName)
{
    const auto* const writer = std::ranges::find(writers, use.calibrator, &Writer::calibrator);
    if (writer == writers.end())
        return {.text = {},
                .problem = "no Python for the calibrator " + std::string(use.calibrator)};
    Code code = writer->write(use);
    if (!code.problem.empty())
        return code;
    std::string begin = "def " + std::string(functionName) +
                        "(batches):\n    x = finite(batches)\n    if x.size == 0:\n"
                        "        return None, ([], [])\n";
    if (!hasOwnAnswerToZeros(use))
        begin += std::string("    if not x.any():\n        return ") +
                 (use.scheme.isAffine() ? "(0.0, 0.0)" : "0.0") + ", ([], [])\n";
    code.text = begin + code.text;
    code.needs.insert("read");
    return code;
}

}  // namespace calibscope::python
