#pragma once

#include "ui/plot/plot_content.h"

#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// What the colours of a heat map mean: the logarithm of the count, from 1 to the largest.
class HeatKey
{
public:
    HeatKey() = default;
    explicit HeatKey(std::span<const std::uint64_t> counts);

    /// The largest count; 0: there is nothing to draw.
    [[nodiscard]] std::uint64_t most() const { return m_most; }
    /// Place of a count of at least one along the colours, 0 to 1.
    [[nodiscard]] double share(std::uint64_t count) const;
    /// Some counts with their colours, the largest at last.
    [[nodiscard]] std::vector<LegendEntry> legend(bool isDark) const;

private:
    std::uint64_t m_most = 0;
};

}  // namespace calibscope
