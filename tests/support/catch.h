// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Catch2 3 where it is installed, else Catch2 2: the tests use what both have, and the names of
// this header.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace calibscope::test {

#if __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
inline auto containsText(const std::string& part)
{
    return Catch::Matchers::ContainsSubstring(part);
}
#else
using Catch::Detail::Approx;
inline auto containsText(const std::string& part)
{
    return Catch::Matchers::Contains(part);
}
#endif

}  // namespace calibscope::test
