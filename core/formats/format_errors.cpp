// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format_errors.h"

#include "core/base/find_by_id.h"
#include "core/base/number_text.h"
#include "core/kernels/summing_lanes.h"
#include "core/metrics/metric.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

double shareOf(std::uint64_t part, std::uint64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

FormatErrors& FormatErrors::operator+=(const FormatErrors& others)
{
    sums += others.sums;
    flushed += others.flushed;
    notFinite += others.notFinite;
    blocks += others.blocks;
    zeroBlocks += others.zeroBlocks;
    poisonedBlocks += others.poisonedBlocks;
    leastBlocks += others.leastBlocks;
    largestBlocks += others.largestBlocks;
    return *this;
}

std::string_view poisonElsewhere(const BlockFormat& format, bool hasNan)
{
    if (format.isPowerOfTwo())
        return hasNan ? "In microxcaling, torchao, compressed-tensors and NNCF all of the block "
                        "become NaN, in ModelOpt 0 or nearly so."
                      : "In microxcaling, torchao and compressed-tensors all of the block become "
                        "NaN; in ModelOpt and NNCF all but the infinity become 0.";
    if (format.rule == ScaleRule::TwoLevel && format.hasTensorScale)
        return hasNan ? "In torchao, ModelOpt and NNCF all of the tensor become NaN, in "
                        "compressed-tensors all of the block."
                      : "In torchao, ModelOpt, NNCF and compressed-tensors all of the tensor "
                        "become NaN.";
    if (format.rule == ScaleRule::TwoLevel)
        return hasNan ? "In torchao all of the block become NaN."
                      : "In torchao all of the block but the infinity become 0.";
    return "";
}

void FormatErrors::add(const kernels::CodeErrors& added)
{
    notFinite += added.notFinite;
    flushed += added.flushed;
    sums += {.count = added.finite,
             .clipped = added.clipped,
             .sumSquares = kernels::folded(added.squares),
             .sumSquaresQuantized = kernels::folded(added.squaresDecoded),
             .sumProducts = kernels::folded(added.products),
             .squaredRounding = kernels::folded(added.rounding),
             .squaredClipping = kernels::folded(added.clipping),
             .maxError = *std::ranges::max_element(added.largest)};
}

void FormatErrors::add(std::span<const float> values, std::span<const float> decoded,
                       const BlockEnds& ends)
{
    kernels::CodeErrors errors;
    ends.addErrors(values, decoded, errors);
    add(errors);
}

std::vector<std::string> FormatErrors::notes() const
{
    std::vector<std::string> notes;
    const auto ofBlocks = [&](std::uint64_t count, const char* what) {
        if (count > 0)
            notes.push_back(countText(count, "block", "blocks") + " " + what);
    };
    if (blocks > 0 && zeroBlocks == blocks)
        notes.emplace_back("all zero");
    ofBlocks(poisonedBlocks, "with NaN or infinities, which are left out");
    ofBlocks(leastBlocks, "below the range of scales");
    ofBlocks(largestBlocks, "beyond the range of scales");
    return notes;
}

double FormatErrors::saturatedShare() const
{
    return shareOf(sums.clipped, sums.count);
}

double FormatErrors::flushedShare() const
{
    return shareOf(flushed, sums.count);
}

std::optional<double> FormatErrors::sqnrDb() const
{
    ErrorSummary summary;
    summary.sums = sums;
    return findById(metrics(), "sqnr_db", "metric").evaluate(summary);
}

std::optional<double> FormatErrors::comparedDb() const
{
    const std::optional<double> db = sqnrDb();
    return db ? std::round(*db * 1e9) / 1e9 : db;
}

}  // namespace calibscope
