// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format_errors.h"

#include "core/base/find_by_id.h"
#include "core/base/number_text.h"
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

void FormatErrors::add(float value, float decoded, bool isClipped)
{
    if (!std::isfinite(value)) {
        ++notFinite;
        return;
    }
    const auto x = static_cast<double>(value);
    const auto y = static_cast<double>(decoded);
    const double error = x - y;
    ++sums.count;
    sums.clipped += isClipped ? 1U : 0U;
    sums.sumSquares += x * x;
    sums.sumSquaresQuantized += y * y;
    sums.sumProducts += x * y;
    (isClipped ? sums.squaredClipping : sums.squaredRounding) += error * error;
    sums.maxError = std::max(sums.maxError, std::abs(error));
    flushed += decoded == 0.0F && value != 0.0F ? 1U : 0U;
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

}  // namespace calibscope
