// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/entropy/entropy_search.h"
#include "core/calibrators/entropy/entropy_settings.h"
#include "core/calibrators/histogram/histogram_parameters.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>

namespace calibscope::calibration {

namespace {

constexpr double mostTrials = 1048576;  // 2^20, the most bins that a growth rule makes
constexpr double mostEntropyLevels = 32768;

CalibratorNeeds needsOfEntropy(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    return {.histograms = {histogramSpec(input.settings, Domain::Magnitude)}};
}

EntropySearch search(const CalibratorInput& input, const Histogram& histogram, double absMax)
{
    const Settings& settings = input.settings;
    const auto [first, last] = entropyTrials(input, histogram, absMax);
    return searchEntropy(entropyCounts(histogram, settings), first, last, entropyRule(input),
                         {.takesLast = settings.is("tie", "last"),
                          .emptyWins = settings.is("empty-window", "wins"),
                          .step = static_cast<std::size_t>(settings.integer("step"))});
}

Curve curveOf(const EntropySearch& found, const Histogram& histogram, const Settings& settings)
{
    Curve curve{.objective = "KL divergence", .unit = "nats"};
    curve.value = found.divergences;
    curve.chosen = *found.chosen;
    curve.ties = found.ties;
    for (std::size_t index = 0; index < curve.value.size(); ++index)
        curve.threshold.push_back(entropyThreshold(found.trial(index), histogram, settings));
    describeSurroundings(curve);
    return curve;
}

void noteOddPick(Calibration& calibration, bool isEmpty)
{
    const Curve& curve = calibration.curve;
    if (isEmpty)
        calibration.notes.emplace_back("an empty window was chosen: no bin in it holds a count");
    if (curve.chosen == 0 && curve.value.size() > 1)
        calibration.notes.emplace_back("the first trial was chosen");
    if (!curve.ties.empty())
        calibration.notes.push_back("tie: " + countText(curve.ties.size(),
                                                        "more trial has the least divergence",
                                                        "more trials have the least divergence"));
}

Calibration calibrateEntropy(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const HistogramSpec spec = histogramSpec(input.settings, Domain::Magnitude);
    const Histogram& histogram = neededHistogram(profile, spec);
    Calibration calibration{.notes = notesOf(histogram), .histogram = spec};
    const EntropySearch found = search(input, histogram, extents.absMax());
    if (!found.chosen) {
        calibration.notes.emplace_back("no valid trial");
        settleThreshold(calibration, input.scheme, extents, extents.absMax());
        return calibration;
    }
    calibration.curve = curveOf(found, histogram, input.settings);
    noteOddPick(calibration, found.isEmpty);
    settleThreshold(calibration, input.scheme, extents,
                    std::max(calibration.curve.threshold[calibration.curve.chosen], 0.0));
    return calibration;
}

std::vector<Parameter> entropyHistogramParameters()
{
    return {binsParameter(1024, "Bins of the histogram of |x| at the start."),
            growthParameter("double", "How the histogram follows the range from batch to batch."),
            choiceParameter(
                "first-bin", "First bin",
                "The bin at 0 as counted, emptied, or replaced by the next one's count; or the "
                "first 0.2 % of the bins emptied and one count put into the next.",
                {"counted", "discarded", "copied", "share-replaced"})};
}

std::vector<Parameter> searchParameters()
{
    return {
        choiceParameter("outliers-in-q", "Outlier fold-in",
                        "Whether the values beyond a trial enter its coarse histogram: yes is the "
                        "published text, no is what open implementations do.",
                        {"yes", "no"}),
        wholeOrWord("first-candidate", "Search from",
                    "The first bin that is tried; levels: the first at which a bin and a level "
                    "differ.",
                    {0, mostTrials - 1}, "levels"),
        choiceParameter("last-candidate", "Search to",
                        "The bin that holds the largest magnitude, or the last of the histogram.",
                        {"max", "end"}),
        wholeOrWord("levels", "Levels",
                    "Levels of the coarse histogram; qmax: 2^(bits-1) - 1, 127 of 8 bits.",
                    {2, mostEntropyLevels}, "qmax"),
        choiceParameter("empty-bins", "Empty bins",
                        "A level's sum goes back to all its bins, or to those that are not empty "
                        "(spread); smooth: as spread, then empty bins get epsilon.",
                        {"all", "spread", "smooth"}),
        {.id = "epsilon",
         .label = "Epsilon",
         .help = "What smoothing gives an empty bin, in counts.",
         .kind = Parameter::Kind::Number,
         .fallback = "1e-04",
         .least = 1e-12,
         .greatest = 1.0,
         .step = 1e-4},
        choiceParameter("direction", "Direction",
                        "Divergence of the coarse from the truncated histogram, or the reverse.",
                        {"truncated-to-coarse", "coarse-to-truncated"}),
        choiceParameter("threshold-at", "Threshold at",
                        "Centre or right edge of the best bin, or half a bin beyond the bins kept.",
                        {"centre", "right-edge", "index-half"}),
        choiceParameter(
            "level-by", "Level by",
            "What decides a bin's level: its centre among equal parts of 0 to the trial's centre, "
            "or its lower edge among equal parts of 0 to the trial's upper edge.",
            {"centre", "edge"}),
        choiceParameter("empty-window", "Empty window",
                        "Whether a trial below which there is no count can be chosen: never, or it "
                        "wins over all others, as a divergence of NaN does in NumPy's argmin.",
                        {"never", "wins"}),
        choiceParameter("tie", "Tie", "Which of several equal trials wins.", {"first", "last"}),
        {.id = "step",
         .label = "Step",
         .help = "From trial to trial.",
         .kind = Parameter::Kind::Integer,
         .fallback = "1",
         .least = 1,
         .greatest = mostTrials,
         .step = 1,
         .unit = "bins"},
        {.id = "log-floor",
         .label = "Floor in the logarithm",
         .help = "What counts as the share of Q in the logarithm where P has values and Q none; "
                 "0: such a trial is not valid.",
         .kind = Parameter::Kind::Number,
         .fallback = "0",
         .least = 0.0,
         .greatest = 1.0,
         .step = 1e-9}};
}

}  // namespace

Calibrator entropy()
{
    std::vector<Parameter> parameters = entropyHistogramParameters();
    for (Parameter& parameter : searchParameters())
        parameters.push_back(std::move(parameter));
    return {.order = 50,
            .id = "entropy",
            .title = "Entropy",
            .summary = "The threshold at which a histogram of |x|, cut there, differs least from "
                       "its own coarse form of as many bins as there are levels.",
            .source = "NVIDIA (v4.0), Entropy; Moffett, Entropy calibration",
            .parameters = std::move(parameters),
            .hasCurve = true,
            .needs = needsOfEntropy,
            .calibrate = calibrateEntropy};
}

}  // namespace calibscope::calibration
