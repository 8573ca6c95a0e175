// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/propagated.h"

#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <stdexcept>

namespace calibscope {

namespace {

void widen(ClipChoice& range, const ClipChoice& other)
{
    if (other.threshold)
        range.threshold = std::max(range.threshold.value_or(0.0), *other.threshold);
    if (other.range) {
        const Range own = range.range.value_or(*other.range);
        range.range =
            Range{std::min(own.low, other.range->low), std::max(own.high, other.range->high)};
    }
}

/// A range without 0 is what its own zero point makes of it: the one that takes it has none.
ClipChoice givenAway(const ScaleRow& row)
{
    ClipChoice clip = row.clip;
    const Range levels = row.quantizer.clip;
    if (clip.range && !clip.range->contains(0.0))
        clip.range = Range{std::min(levels.low, 0.0), std::max(levels.high, 0.0)};
    return clip;
}

std::string namesOf(std::span<const RangeSource> sources)
{
    return joinedText(sources, ", ", &RangeSource::tensor);
}

/// Recorded values that the one clips and the other does not.
bool clipsMore(const ScaleRow& given, const ScaleRow& own)
{
    const Range clip = given.quantizer.clip;
    const Range ownClip = own.quantizer.clip;
    return (given.extents.min < clip.low && ownClip.low < clip.low) ||
           (given.extents.max > clip.high && ownClip.high > clip.high);
}

}  // namespace

std::optional<ClipChoice> largestRange(std::span<const RangeSource> sources,
                                       const AnalyseOptions& options, const Progress& progress)
{
    if (!options.otherTensor)
        throw std::invalid_argument("a propagated range needs the dump's other tensors");
    const AnalyseOptions calibrationOnly{
        .effort = MetricEffort::None, .memoryBytes = options.memoryBytes, .ask = options.ask};
    ClipChoice largest;
    for (const RangeSource& source : sources) {
        Choice own;
        own.calibrator = source.calibrator;
        own.settings = source.settings;
        own.scheme = source.scheme;
        const ValueSource values = options.otherTensor(source.path);
        TensorProfile profile = collectProfile(values, progress);
        const std::vector<Outcome> outcomes =
            analyse(values, profile, std::span<const Choice>(&own, 1), calibrationOnly, progress);
        if (outcomes.front().problem.empty())
            widen(largest, givenAway(outcomes.front().whole));
    }
    if (!largest.threshold && !largest.range)
        return std::nullopt;
    return largest;
}

Choice withRange(const Choice& choice, const ClipChoice& range)
{
    GivenSettings given;
    for (const Parameter& parameter : schemeParameters())
        given[parameter.id] = choice.settings.text(parameter.id);
    if (range.threshold)
        given["threshold"] = numberText(*range.threshold);
    if (range.range) {
        given["low"] = numberText(range.range->low);
        given["high"] = numberText(range.range->high);
    }
    Choice fixed = makeChoice("fixed", given, choice.scheme.kind, Granularity::Tensor);
    fixed.note = choice.note;
    return fixed;
}

Outcome propagatedOutcome(Outcome given, const Outcome& own, const Choice& choice)
{
    given.choice = choice;
    std::vector<std::string> notes = {"propagated from " + namesOf(choice.rangeFrom)};
    if (given.problem.empty() && own.problem.empty() && clipsMore(given.whole, own.whole))
        notes.push_back("clips more than its own range from " +
                        numberText(own.whole.quantizer.clip.low) + " to " +
                        numberText(own.whole.quantizer.clip.high) + " would");
    given.whole.notes.insert(given.whole.notes.begin(), notes.begin(), notes.end());
    return given;
}

std::string noRangeNote(const Choice& choice)
{
    return "no range to take from " + namesOf(choice.rangeFrom) + ": its own is kept";
}

}  // namespace calibscope
