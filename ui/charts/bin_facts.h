#pragma once

#include "core/stats/histogram.h"
#include "ui/plot/marks.h"

#include <QStringList>

#include <optional>
#include <span>

namespace calibscope {

/// What is to be said of the place under the pointer.
struct BinFacts
{
    Range bin;
    std::uint64_t count = 0;
    std::uint64_t left = 0;   ///< values in bins before
    std::uint64_t right = 0;  ///< values in bins behind
    std::uint64_t total = 0;

    /// The nearest end of a clip range.
    struct Nearest
    {
        QString label;
        double place = 0.0;
        double steps =
            0.0;  ///< from x to it, in steps of its quantizer (LSB); negative: it is left
        bool hasSteps = false;
    };
    std::optional<Nearest> nearest;
};

/// Facts of the bin that holds x; nothing outside of the histogram. `countBefore`: counts of all
/// bins before each bin, the total at last.
[[nodiscard]] std::optional<BinFacts> binFacts(const Histogram& histogram,
                                               std::span<const std::uint64_t> countBefore, double x,
                                               std::span<const ThresholdMark> thresholds);

/// The facts as lines "name<tab>value", for a card and for the clipboard.
[[nodiscard]] QStringList factLines(const BinFacts& facts, const QString& xTitle);

/// "60 %"; as many digits as tell a share next to all from all.
[[nodiscard]] QString shareText(std::uint64_t part, std::uint64_t whole);

}  // namespace calibscope
