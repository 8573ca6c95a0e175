// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace calibscope {

/// Counts in several tables by turns: values that are alike would wait for each other's count.
class CountTables
{
public:
    /// Counts that outlive it. `values`: about how many will be counted, to see whether tables pay.
    CountTables(std::span<std::uint64_t> counts, std::uint64_t values) : m_counts(counts)
    {
        constexpr std::size_t worthTables = 4;  // values for each bin
        constexpr std::size_t mostBins = 8192;  // more would not fit the first cache levels
        if (counts.size() <= mostBins && values >= worthTables * counts.size())
            m_tables.resize(tables * counts.size());
    }

    /// `Index`: 16 or 32 bits without sign. At most 2^31 bins at a time.
    template <typename Index>
    void add(std::span<const Index> bins)
    {
        if (m_tables.empty()) {
            for (const Index bin : bins)
                ++m_counts[bin];
            return;
        }
        if (m_inTables > std::numeric_limits<std::uint32_t>::max() / 2)
            finish();
        m_inTables += bins.size();
        std::uint32_t* const first = m_tables.data();
        std::uint32_t* const second = first + m_counts.size();
        std::uint32_t* const third = second + m_counts.size();
        std::uint32_t* const fourth = third + m_counts.size();
        const std::size_t whole = bins.size() - bins.size() % tables;
        for (std::size_t index = 0; index < whole; index += tables) {
            ++first[bins[index]];
            ++second[bins[index + 1]];
            ++third[bins[index + 2]];
            ++fourth[bins[index + 3]];
        }
        for (const Index bin : bins.subspan(whole))
            ++m_counts[bin];
    }

    /// Adds what was counted since the last time; to be called at the end.
    void finish()
    {
        for (auto table = m_tables.begin(); table != m_tables.end();)
            for (std::uint64_t& count : m_counts)
                count += *table++;
        std::ranges::fill(m_tables, 0U);
        m_inTables = 0;
    }

private:
    static constexpr std::size_t tables = 4;

    std::span<std::uint64_t> m_counts;
    std::vector<std::uint32_t> m_tables;
    std::uint64_t m_inTables = 0;
};

}  // namespace calibscope
