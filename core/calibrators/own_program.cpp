// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/own_program.h"

#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

namespace calibscope {

namespace {

using nlohmann::json;

constexpr int protocolNumber = 1;
constexpr double largestFloat = static_cast<double>(std::numeric_limits<float>::max());

HistogramSpec specOf(const Settings& settings)
{
    return {.growth = "fixed",
            .bins = settings.integer("bins"),
            .domain = settings.is("domain", "signed") ? Domain::Signed : Domain::Magnitude};
}

bool wantsHistogram(const Settings& settings)
{
    return settings.is("input", "histogram");
}

CalibratorNeeds programNeeds(const CalibratorInput& input, const Extents& extents)
{
    CalibratorNeeds needs;
    // With a histogram, too: a profile alone, as the window has it, starts no program.
    needs.values = extents.absMax() > 0.0;
    if (needs.values && wantsHistogram(input.settings))
        needs.histograms = {specOf(input.settings)};
    return needs;
}

std::string questionLine(const CalibratorInput& input, const TensorProfile& profile, unsigned id)
{
    const Extents& extents = profile.extents();
    json question = {
        {"calibscope", protocolNumber},
        {"id", id},
        {"tensor", profile.info.name},
        {"role", roleText(profile.info.role)},
        {"is_channel", input.isChannel},
        {"scheme", schemeText(input.scheme.kind)},
        {"is_symmetric", !input.scheme.isAffine()},
        {"bits", input.scheme.bits},
        {"levels", {input.scheme.lowLevel(), input.scheme.highLevel()}},
        {"count", extents.finite},
        {"min", extents.min},
        {"max", extents.max},
    };
    if (wantsHistogram(input.settings)) {
        const HistogramSpec spec = specOf(input.settings);
        const Histogram& histogram = neededHistogram(profile, spec);
        question["histogram"] = {{"domain", domainText(histogram.spec.domain)},
                                 {"low", histogram.low},
                                 {"high", histogram.high},
                                 {"counts", histogram.counts}};
    }
    return question.dump(-1, ' ', false, json::error_handler_t::replace);
}

void handOverFinite(const CalibratorValues& values,
                    const std::function<void(std::span<const float>)>& take)
{
    std::vector<float> finite;
    values.source.visit(
        [&](const Block& block) {
            finite.clear();
            std::ranges::copy_if(block.values, std::back_inserter(finite),
                                 [](float value) { return std::isfinite(value); });
            take(finite);
        },
        values.progress);
}

/// A finite number that float32 holds. A member that is absent fails, too.
double numberIn(const JsonObject& answer, const char* key, double least)
{
    if (!answer.has(key))
        answer.fail(std::string("has no \"") + key + "\"");
    const double value = answer.number(key);
    if (!(value >= least && value <= largestFloat))
        answer.fail(fmt::format("has {} = {}; it has to be from {} to {}", key, value, least,
                                largestFloat));
    return value;
}

void takeClip(Calibration& calibration, const JsonObject& answer, const CalibratorInput& input,
              const Extents& extents)
{
    if (answer.has("threshold") && (answer.has("low") || answer.has("high")))
        answer.fail("has both \"threshold\" and ends of a range; give one of them");
    if (!answer.has("threshold") && !answer.has("low") && !answer.has("high"))
        answer.fail("has neither \"threshold\" nor \"low\" and \"high\"");
    double threshold = 0.0;
    if (answer.has("threshold")) {
        threshold = numberIn(answer, "threshold", 0.0);
    } else {
        const Range range{numberIn(answer, "low", -largestFloat),
                          numberIn(answer, "high", -largestFloat)};
        if (range.low > range.high)
            answer.fail(fmt::format("has low = {} above high = {}", range.low, range.high));
        if (input.scheme.isAffine()) {
            calibration.clip.range = Range{std::min(range.low, 0.0), std::max(range.high, 0.0)};
            return;
        }
        threshold = std::max(std::abs(range.low), std::abs(range.high));
    }
    settleThreshold(calibration, input.scheme, extents, threshold);
}

std::size_t nearest(const std::vector<double>& thresholds, double wanted)
{
    const auto distance = [wanted](double threshold) { return std::abs(threshold - wanted); };
    return static_cast<std::size_t>(std::ranges::min_element(thresholds, {}, distance) -
                                    thresholds.begin());
}

/// A text that is shown on one line.
std::string shortText(const JsonObject& object, const char* key, const std::string& fallback,
                      std::size_t most)
{
    std::string text = object.text(key, fallback);
    if (text.size() > most)
        object.fail(fmt::format("has a {} of {} bytes; {} at most", key, text.size(), most));
    constexpr unsigned char firstPrinted = 0x20;
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < firstPrinted; }, ' ');
    return text;
}

Curve curveFrom(const JsonObject& object, const ClipChoice& clip)
{
    constexpr std::size_t mostPoints = std::size_t{1} << 16;
    constexpr std::size_t longestName = 60;
    constexpr std::size_t longestUnit = 20;
    object.allowOnly({"x", "y", "name", "unit"});
    Curve curve{.objective = shortText(object, "name", "objective", longestName),
                .unit = shortText(object, "unit", {}, longestUnit),
                .threshold = object.numbers("x"),
                .value = object.numbers("y")};
    const std::vector<double>& x = curve.threshold;
    if (x.size() != curve.value.size() || x.size() < 2 || x.size() > mostPoints)
        object.fail(fmt::format("has {} x and {} y; it has to be as many, 2 to {}", x.size(),
                                curve.value.size(), mostPoints));
    if (std::ranges::adjacent_find(x, std::ranges::greater_equal()) != x.end())
        object.fail("has x that do not ascend");
    const bool hasLowSide = x.front() < 0.0;
    if (clip.threshold && hasLowSide)
        return {};  // a symmetric scheme has thresholds alone
    curve.chosen = nearest(x, clip.range ? clip.range->high : *clip.threshold);
    curve.plateau = {x[curve.chosen], x[curve.chosen]};
    if (hasLowSide)
        curve.chosenLow = nearest(x, clip.range->low);
    else if (curve.value[curve.chosen] >= 0.0)
        describeSurroundings(curve);
    return curve;
}

json parsedAnswer(const std::string& line, const std::string& origin)
{
    constexpr std::size_t shownBytes = 60;
    try {
        return parseJson(line, origin, Fault::Usage);
    } catch (const Error&) {
        throw Error(Fault::Usage, "{} is not valid JSON, where NaN is no number: {}{}", origin,
                    line.substr(0, shownBytes), line.size() > shownBytes ? "..." : "");
    }
}

std::vector<Parameter> programParameters()
{
    return {{.id = "file",
             .label = "Program",
             .help = "A file in your folder of programs, or with its path.",
             .kind = Parameter::Kind::Choice},
            {.id = "sha256",
             .label = "Content",
             .help = "SHA-256 of the program, without which it is not run; found by itself.",
             .kind = Parameter::Kind::Choice},
            choiceParameter("input", "Input",
                            "Given to the program: a histogram, or all finite "
                            "values.",
                            {"histogram", "values"}),
            binsParameter(2048, "Bins of the histogram, equal ones over all values."),
            choiceParameter("domain", "Domain", "The histogram is of |x| or of x.",
                            {"magnitude", "signed"})};
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(first);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace

Calibrator ownProgram()
{
    return {.id = programId,
            .title = "Program of your own",
            .summary = "A program of your own that is given the histogram or the values and "
                       "answers a range. Not one of Calibscope's calibrators.",
            .source = {},
            .parameters = programParameters(),
            .hasCurve = true,
            .needs = programNeeds,
            .calibrate = [](const CalibratorInput& input, const TensorProfile& profile) {
                return calibrateByProgram(input, profile, {});
            }};
}

Calibration calibrateByProgram(const CalibratorInput& input, const TensorProfile& profile,
                               const AskProgram& ask)
{
    constexpr std::size_t longestNote = 200;
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const std::string name = programName(input.settings);
    if (input.values == nullptr || !ask)
        throw Error(Fault::Usage,
                    "{}: no program of your own is run here: not for samples, remedies and other "
                    "machines, and one that a file names only with --allow-programs",
                    name);
    static std::atomic<unsigned> questions = 0;
    const unsigned id = ++questions;
    ProgramQuestion question{.file = input.settings.text("file"),
                             .sha256 = input.settings.text("sha256"),
                             .line = questionLine(input, profile, id)};
    Calibration calibration;
    if (wantsHistogram(input.settings))
        calibration.histogram = specOf(input.settings);
    else
        question.values = [&input](const auto& take) { handOverFinite(*input.values, take); };
    const std::string origin = name + ": its answer";
    const json parsed = parsedAnswer(ask(question), origin);
    const JsonObject answer(parsed, origin, Fault::Usage);
    answer.allowOnly({"id", "threshold", "low", "high", "curve", "note"});
    if (answer.has("id") && parsed["id"] != id)
        answer.fail("has the id of another question");
    takeClip(calibration, answer, input, extents);
    if (answer.has("curve"))
        answer.object("curve", [&](const JsonObject& curve) {
            calibration.curve = curveFrom(curve, calibration.clip);
        });
    if (const std::string note = shortText(answer, "note", {}, longestNote); !note.empty())
        calibration.notes.push_back(name + ": " + note);
    return calibration;
}

GivenSettings declaredSettings(std::string_view text, std::string_view origin)
{
    constexpr std::size_t searchedBytes = std::size_t{64} << 10;
    constexpr std::string_view mark = "calibscope:";
    text = text.substr(0, searchedBytes);
    const std::size_t found = text.find(mark);
    GivenSettings declared;
    if (found == std::string_view::npos)
        return declared;
    std::string_view rest = text.substr(found + mark.size());
    rest = rest.substr(0, rest.find('\n'));
    for (const auto& [id, value] : parseGivenSettings(rest, origin)) {
        const std::string name(trimmed(id));
        if (name != "input" && name != "bins" && name != "domain")
            throw Error(Fault::Usage, "{}: declares {}; it can declare input, bins and domain",
                        origin, name);
        declared[name] = trimmed(value);
    }
    return declared;
}

std::string programName(const Settings& settings)
{
    const std::string& file = settings.text("file");
    return file.substr(file.rfind('/') + 1);
}

}  // namespace calibscope
