// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/protocol/codec.h"
#include "tests/support/catch.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

namespace slice_fields_test {

using namespace calibscope;
using namespace calibscope::protocol;

template <typename T>
T travelled(const T& message)
{
    return decode<T>(parseCbor(std::string_view(toFrame(encode(message))).substr(4)));
}

TEST_CASE("a slice comes back with each of its floats, and a damaged one is refused")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Slice slice{.firstRow = 5,
                .firstColumn = 7,
                .rowStep = 2,
                .columnStep = 3,
                .rowCount = 3,
                .columnCount = 4,
                .rows = 2,
                .columns = 2,
                .low = {-0.0F, 0.1F, nan, -3e38F},
                .high = {0.0F, 0.1F, nan, 1e-45F},
                .marks = {0, Slice::HasMarked, Slice::HasNan, Slice::IsUnread},
                .clipped = {0, 1, 0, std::uint64_t{1} << 40U},
                .read = 11,
                .finite = 10,
                .nan = 1,
                .infinite = 2,
                .marked = 3,
                .rowEvery = 4,
                .columnEvery = 5,
                .isByChunks = true,
                .allBytes = 6};
    const auto bits = [](const std::vector<float>& values) {
        std::vector<std::uint32_t> patterns;
        for (const float value : values)
            patterns.push_back(std::bit_cast<std::uint32_t>(value));
        return patterns;
    };
    const Slice back = travelled(slice);
    CHECK(bits(back.low) == bits(slice.low));
    CHECK(bits(back.high) == bits(slice.high));
    CHECK(back.marks == slice.marks);
    CHECK(back.clipped == slice.clipped);
    CHECK(std::tuple(back.firstRow, back.firstColumn, back.rowStep, back.columnStep, back.read,
                     back.finite, back.nan, back.infinite, back.marked, back.rowEvery,
                     back.columnEvery, back.isByChunks, back.allBytes) ==
          std::tuple(5U, 7U, 2U, 3U, 11U, 10U, 1U, 2U, 3U, 4U, 5U, true, 6U));
    const auto refused = [&slice](const std::function<void(Slice&)>& damage) {
        Slice damaged = slice;
        damage(damaged);
        try {
            (void)travelled(damaged);
            return false;
        } catch (const Error&) {
            return true;
        }
    };
    CHECK_FALSE(refused([](Slice&) {}));
    CHECK(refused([](Slice& one) { one.rowStep = 0; }));
    CHECK(refused([](Slice& one) { one.rows = 3; }));
    CHECK(refused([](Slice& one) { one.rowCount = ~std::uint64_t{0}; }));
    CHECK(refused([](Slice& one) {
        one.rowCount = one.rows = ~std::uint64_t{0};
        one.rowStep = 1;
    }));
    CHECK(refused([](Slice& one) { one.low.pop_back(); }));
    CHECK(refused([](Slice& one) { one.marks.push_back(0); }));
    CHECK(refused([](Slice& one) { one.clipped.clear(); }));
    CHECK(refused([](Slice& one) { one.low[1] = 0.2F; }));
    CHECK(refused([](Slice& one) { one.high[1] = std::numeric_limits<float>::quiet_NaN(); }));
    CHECK(refused([](Slice& one) { one.rowEvery = 0; }));
    CHECK(refused([](Slice& one) { one.read = 13; }));
}

TEST_CASE("questions about where values lie, and what was found, come back as they were")
{
    const SliceQuestion question{.rowAxis = 3,
                                 .columnAxis = 1,
                                 .at = {4, 5, 6, 7},
                                 .firstRow = 8,
                                 .rowCount = 9,
                                 .firstColumn = 10,
                                 .columnCount = 11,
                                 .rowStep = 12,
                                 .columnStep = 13,
                                 .clips = {{-1.0, 1.0}, {-2.0, 2.0}},
                                 .marked = MarkedValues{Domain::Magnitude, {0.5, 0.75}},
                                 .mostBytes = 14};
    const SliceRequest request = travelled(SliceRequest{
        .tensor = {.file = "a.h5", .index = 2}, .question = question, .isFirstLook = true});
    CHECK(request.question == question);
    CHECK(request.tensor.index == 2);
    CHECK(request.isFirstLook);
    const LocateRequest locate =
        travelled(LocateRequest{.tensor = {.file = "b.h5"}, .marked = question.marked, .most = 77});
    CHECK(locate.marked == question.marked);
    CHECK(locate.most == 77);
    CHECK_FALSE(travelled(LocateRequest{}).marked);
    const FoundValues found = travelled(FoundValues{.places = {1, ~std::uint64_t{0}},
                                                    .values = {2.5F, -1.0F},
                                                    .searched = 9,
                                                    .isWhole = false});
    CHECK(found.places == std::vector<std::uint64_t>{1, ~std::uint64_t{0}});
    CHECK(found.values == std::vector<float>{2.5F, -1.0F});
    CHECK(found.searched == 9);
    CHECK_FALSE(found.isWhole);
    CHECK_THROWS_AS(travelled(FoundValues{.places = {1}}), Error);
}

}  // namespace slice_fields_test
