// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace calibscope {

/// SplitMix64 of one state: a number by counting, so that each can be made, and checked, by itself.
/// Source: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t state)
{
    state += 0x9E3779B97F4A7C15ULL;
    state = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    state = (state ^ (state >> 27U)) * 0x94D049BB133111EBULL;
    return state ^ (state >> 31U);
}

/// The generator's numbers in a row.
class SplitMix
{
public:
    explicit SplitMix(std::uint64_t state) : m_state(state) {}

    std::uint64_t next()
    {
        const std::uint64_t number = mixed(m_state);
        m_state += 0x9E3779B97F4A7C15ULL;
        return number;
    }
    /// From 0 to below the end, without multiples of it that would favour some.
    std::uint64_t below(std::uint64_t end)
    {
        const std::uint64_t biased = (0 - end) % end;  // 2^64 mod end
        for (;;)
            if (const std::uint64_t drawn = next(); drawn >= biased)
                return drawn % end;
    }

private:
    std::uint64_t m_state;
};

}  // namespace calibscope
