// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/entry_lints.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace calibscope::exchange {

namespace {

constexpr double tolerance = 1e-6;  // relative to the range's wider end; float32 has 6e-8
constexpr double levels = 127.0;    // between a range and the scale of it

bool isUsable(const ScaleEntry& entry, const EntryValue& value)
{
    const double scale = scaleOf(entry, value);
    return std::isfinite(scale) && scale > 0.0 && std::isfinite(value.range.low) &&
           std::isfinite(value.range.high);
}

bool areUsable(const ScaleEntry& entry)
{
    return !entry.values.empty() && std::ranges::all_of(entry.values, [&](const EntryValue& value) {
        return isUsable(entry, value);
    });
}

std::string scaleText(double scale)
{
    if (scale == 0.0)
        return "the scale is 0";
    return "the scale is " + numberText(scale) + (scale < 0.0 ? ", below 0" : "");
}

/// Counts of what lies outside, from the sketch; exactly none where no value does.
std::uint64_t clippedCount(const TensorProfile& profile, const EntryValue& value)
{
    const Extents& extents = profile.extents();
    if (!isClipped(extents.min, value) && !isClipped(extents.max, value))
        return 0;
    std::uint64_t count = isClipped(0.0, value) ? profile.sketch.zeros : 0;
    for (const SketchBin& bin : profile.sketch.negative)
        count += isClipped(-bin.mean(), value) ? bin.count : 0;
    for (const SketchBin& bin : profile.sketch.positive)
        count += isClipped(bin.mean(), value) ? bin.count : 0;
    return std::max<std::uint64_t>(count, 1);
}

std::optional<double> deviationOf(const EntryValue& value, const Extents& extents)
{
    const double end = widestEnd(value);
    if (!(end > 0.0) || !std::isfinite(end) || extents.absMax() == 0.0)
        return std::nullopt;
    return end / extents.absMax() - 1.0;
}

bool isPerChannelOf(const ScaleEntry& entry, const TensorProfile& profile)
{
    return entry.isPerChannel && entry.values.size() == profile.channels.size();
}

void addClipping(Findings& lints, const EntryFit& fit)
{
    const double share = fit.clippedShare.value_or(0.0);
    if (share > clippedWarning)
        lints.push_back(
            {.id = "clips",
             .level = share > clippedError ? FindingLevel::Error : FindingLevel::Warning,
             .text = fmt::format("the range clips {:.3g} % of the values", 100.0 * share)});
}

/// About 127 times too small or too large: whoever wrote it took one for the other.
bool addScaleForRange(Findings& lints, double ratio)
{
    const auto isNear = [](double factor) { return factor > 0.5 && factor < 2.0; };
    if (isNear(ratio * levels))
        lints.push_back({.id = "scale-for-range",
                         .level = FindingLevel::Error,
                         .text = "the range is about 1/127 of the data's: a scale where a range "
                                 "belongs"});
    else if (isNear(ratio / levels))
        lints.push_back({.id = "scale-for-range",
                         .level = FindingLevel::Error,
                         .text = "the range is about 127 times the data's: a range where a scale "
                                 "belongs"});
    return isNear(ratio * levels) || isNear(ratio / levels);
}

bool isLike(double a, double b)
{
    return std::fabs(a - b) <= 0.25 * std::max(std::fabs(a), std::fabs(b));
}

/// [-max, -min] of data that are not alike on both sides.
bool isMirrored(const Range& range, const Extents& extents)
{
    const bool isLopsided = !isLike(-extents.min, extents.max);
    return isLopsided && isLike(range.low, -extents.max) && isLike(range.high, -extents.min);
}

void addEnds(Findings& lints, const EntryValue& value, const Extents& extents)
{
    const Range& range = value.range;
    const bool hasBothSigns = extents.min < 0.0 && extents.max > 0.0;
    if (value.threshold || range.low > range.high)
        return;
    if (isMirrored(range, extents))
        lints.push_back({.id = "exchanged-ends",
                         .level = FindingLevel::Error,
                         .text = "the ends fit the data with signs exchanged: from -max to -min"});
    else if (hasBothSigns && (range.low >= 0.0 || range.high <= 0.0))
        lints.push_back({.id = "one-sided",
                         .level = FindingLevel::Error,
                         .text = "the range has one sign, the data have both"});
}

void addWidth(Findings& lints, double ratio)
{
    if (ratio > wideFactor)
        lints.push_back({.id = "too-wide",
                         .level = FindingLevel::Warning,
                         .text = fmt::format("the range is {:.3g} times the data's: levels are "
                                             "wasted, or it is of another model or batch",
                                             ratio)});
}

/// A threshold that is the data's high end, though the low one is farther from 0.
void addNegativeSide(Findings& lints, const EntryValue& value, const Extents& extents)
{
    constexpr double near = 1e-3;
    if (value.threshold && std::fabs(*value.threshold - extents.max) <= near * extents.max &&
        isClipped(extents.min, value))
        lints.push_back({.id = "negative-side",
                         .level = FindingLevel::Warning,
                         .text = "the range is the data's high end, but the low end is larger: "
                                 "newer versions of ONNX Runtime write it so"});
}

/// The range's width over that of the data with 0; of a threshold the larger magnitudes.
double widthRatio(const EntryValue& value, const Extents& extents)
{
    const bool isSymmetric = value.zeroPoint == 0.0 && value.range.low < 0.0;
    if (value.threshold || isSymmetric || value.range.low == -value.range.high)
        return widestEnd(value) / extents.absMax();
    return value.range.width() / (std::max(extents.max, 0.0) - std::min(extents.min, 0.0));
}

void addChannelsApart(Findings& lints, const TensorProfile& profile)
{
    double widest = 0.0;
    double narrowest = std::numeric_limits<double>::infinity();
    for (const Extents& channel : profile.channels) {
        widest = std::max(widest, channel.absMax());
        if (channel.absMax() > 0.0)
            narrowest = std::min(narrowest, channel.absMax());
    }
    if (widest > 0.0 && narrowest * apartFactor < widest)
        lints.push_back({.id = "channels-apart",
                         .level = FindingLevel::Warning,
                         .text = fmt::format("one scale for all channels, though one is {:.3g} "
                                             "times below the widest",
                                             widest / narrowest)});
}

}  // namespace

bool isClipped(double number, const EntryValue& value)
{
    const Range& range = value.range;
    const double step = value.zeroPoint ? value.scale.value_or(0.0) : 0.0;
    const double slack =
        0.5 * step + tolerance * std::max(std::fabs(range.low), std::fabs(range.high));
    return number < range.low - slack || number > range.high + slack;
}

EntryFit fitOf(const ScaleEntry& entry, const TensorProfile& profile,
               std::optional<std::uint64_t> channelsClipped)
{
    EntryFit fit;
    const bool perChannel = isPerChannelOf(entry, profile);
    const auto finite = static_cast<double>(profile.extents().finite);
    if (finite == 0.0 || entry.values.empty() || (entry.values.size() > 1 && !perChannel))
        return fit;
    if (!perChannel) {
        fit.deviation = deviationOf(entry.values.front(), profile.extents());
        if (isUsable(entry, entry.values.front()))
            fit.clippedShare =
                static_cast<double>(clippedCount(profile, entry.values.front())) / finite;
        return fit;
    }
    for (std::size_t channel = 0; channel < entry.values.size(); ++channel) {
        const auto deviation = deviationOf(entry.values[channel], profile.channels[channel]);
        if (deviation && std::fabs(*deviation) >= std::fabs(fit.deviation.value_or(0.0)))
            fit.deviation = deviation;
    }
    if (channelsClipped)
        fit.clippedShare = static_cast<double>(*channelsClipped) / finite;
    return fit;
}

Findings lintsOf(const ScaleEntry& entry)
{
    Findings lints;
    for (const std::string& oddity : entry.oddities)
        lints.push_back({.level = FindingLevel::Note, .text = oddity});
    if (entry.values.empty() && !entry.isFloat && entry.layout.empty())
        lints.push_back({.id = "unusable", .level = FindingLevel::Error, .text = "has no value"});
    for (std::size_t place = 0; place < entry.values.size(); ++place) {
        const EntryValue& value = entry.values[place];
        const std::string where =
            entry.isPerChannel ? fmt::format("channel {}: ", place) : std::string();
        if (value.range.low > value.range.high && value.threshold.value_or(0.0) >= 0.0)
            lints.push_back({.id = "exchanged-ends",
                             .level = FindingLevel::Error,
                             .text = where + "the low end is above the high one"});
        else if (!isUsable(entry, value))
            lints.push_back({.id = "unusable",
                             .level = FindingLevel::Error,
                             .text = where + scaleText(scaleOf(entry, value))});
        else
            continue;
        break;  // the first one tells
    }
    return lints;
}

Findings lintsOf(const ScaleEntry& entry, const TensorProfile& profile, const EntryFit& fit)
{
    Findings lints;
    const bool perChannel = isPerChannelOf(entry, profile);
    const bool hasSeveral = entry.isPerChannel || entry.values.size() > 1;
    if (hasSeveral && !perChannel)
        lints.push_back({.id = "channel-count",
                         .level = FindingLevel::Error,
                         .text = fmt::format("has {} scales, the tensor has {} channels",
                                             entry.values.size(), profile.channels.size())});
    const Extents& extents = profile.extents();
    if (!areUsable(entry) || extents.absMax() == 0.0 || (hasSeveral && !perChannel))
        return lints;
    addClipping(lints, fit);
    if (perChannel) {
        double widest = 0.0;
        for (std::size_t channel = 0; channel < entry.values.size(); ++channel)
            if (profile.channels[channel].absMax() > 0.0)  // of zeros any scale is right
                widest = std::max(widest, widestEnd(entry.values[channel]));
        if (!addScaleForRange(lints, widest / extents.absMax()))
            addWidth(lints, widest / extents.absMax());
        return lints;
    }
    const EntryValue& value = entry.values.front();
    const double ratio = widthRatio(value, extents);
    if (!addScaleForRange(lints, ratio))
        addWidth(lints, ratio);
    addEnds(lints, value, extents);
    addNegativeSide(lints, value, extents);
    if (profile.info.role == Role::Weight)
        addChannelsApart(lints, profile);
    return lints;
}

bool areZeroChannels(const ScaleEntry& entry, const TensorProfile& profile)
{
    if (!isPerChannelOf(entry, profile) || areUsable(entry))
        return false;
    for (std::size_t channel = 0; channel < entry.values.size(); ++channel)
        if (!isUsable(entry, entry.values[channel]) &&
            (widestEnd(entry.values[channel]) != 0.0 || profile.channels[channel].absMax() != 0.0))
            return false;
    return true;
}

Findings headLints(const ScaleFile& file, const std::map<std::string, std::string>& asked)
{
    Findings lints;
    for (const std::string& oddity : file.oddities)
        lints.push_back({.level = FindingLevel::Note, .text = oddity});
    for (const auto& [name, wanted] : asked) {
        const auto found = file.facts.find(name);
        const std::string stated = found == file.facts.end() ? "" : found->second;
        if (stated != wanted)
            lints.push_back(
                {.id = "other-header",
                 .level = FindingLevel::Note,
                 .text = fmt::format("its {} is \"{}\", not \"{}\"", name, stated, wanted)});
    }
    return lints;
}

}  // namespace calibscope::exchange
