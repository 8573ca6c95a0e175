// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/work_lines.h"

#include "tests/support/catch.h"

#include <chrono>

namespace work_lines_test {

using namespace calibscope;
using namespace std::chrono_literals;
using spread::WorkLines;

TEST_CASE("work of one process is told once in a pause, from its own beginning on")
{
    const WorkLines::Clock::time_point start{};
    WorkLines lines(10s, start);
    lines.begin("first pass", 20'000'000'000, start);
    CHECK_FALSE(lines.due(start + 9s));
    lines.at("run/rank3.h5:/a", start + 3s);
    lines.done(5'000'000'000);
    CHECK(lines.due(start + 10s) ==
          "first pass: 5.0 of 20.0 GB, 0.50 GB/s; 7 s at run/rank3.h5:/a");
    CHECK_FALSE(lines.due(start + 11s));
    lines.done(10'000'000'000);
    CHECK(lines.due(start + 20s) ==
          "first pass: 15.0 of 20.0 GB, 0.75 GB/s; 17 s at run/rank3.h5:/a");
    lines.readAt("run/rank3.h5:/a", 450, 1000);
    lines.readAt("run/rank3.h5:/b", 999, 1000);
    CHECK(
        lines.due(start + 30s) ==
        "first pass: 15.0 of 20.0 GB, 0.50 GB/s; 27 s at run/rank3.h5:/a, 45 % through this read");
    lines.at("run/rank3.h5:/b", start + 32s);
    lines.readAt("run/rank3.h5:/b", 0, 0);
    CHECK(lines.due(start + 40s) ==
          "first pass: 15.0 of 20.0 GB, 0.38 GB/s; 8 s at run/rank3.h5:/b");
    lines.begin("second pass", 20'000'000'000, start + 45s);
    CHECK_FALSE(lines.due(start + 50s));
    CHECK(lines.due(start + 55s) == "second pass: 0.0 of 20.0 GB, 0.00 GB/s");
}

}  // namespace work_lines_test
