// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope {

/// Counts in several tables by turns: values that are alike would wait for each other's count.
class CountTables
{
public:
    /// `values`: how many will be counted, to see whether tables pay; below 2^32.
    CountTables(std::vector<std::uint64_t>& counts, std::size_t values) : m_counts(counts)
    {
        constexpr std::size_t worthTables = 4;  // values for each bin
        constexpr std::size_t mostBins = 8192;  // more would not fit the first cache levels
        if (counts.size() <= mostBins && values >= worthTables * counts.size())
            m_tables.resize(tables * counts.size());
    }

    void add(std::span<const std::uint32_t> bins)
    {
        if (m_tables.empty()) {
            for (const std::uint32_t bin : bins)
                ++m_counts[bin];
            return;
        }
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
        for (const std::uint32_t bin : bins.subspan(whole))
            ++m_counts[bin];
    }

    /// To be called once, at the end.
    void finish()
    {
        for (auto table = m_tables.begin(); table != m_tables.end();)
            for (std::uint64_t& count : m_counts)
                count += *table++;
    }

private:
    static constexpr std::size_t tables = 4;

    std::vector<std::uint64_t>& m_counts;
    std::vector<std::uint32_t> m_tables;
};

}  // namespace calibscope
