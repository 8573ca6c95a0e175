// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/values_fit.h"

#include "core/dump/element_decoder.h"
#include "tests/support/catch.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace values_fit_test {

using namespace calibscope;
using deploy::roundedTo;
using deploy::ValuesFit;
using deploy::valuesFit;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The value of a 16-bit pattern, as the reader of dumps decodes it.
float valueOf(ElementKind kind, unsigned pattern)
{
    const std::array bytes{static_cast<std::byte>(pattern & 0xFFU),
                           static_cast<std::byte>(pattern >> 8U)};
    return ElementDecoder({.kind = kind}).decode(bytes).front();
}

TEST_CASE("values between two neighbours of 16 bits round to the nearer one, ties to the even one")
{
    // By definition: all patterns from 0 to the greatest finite one, and what lies between them.
    for (const auto& [kind, patterns] :
         {std::pair{ElementKind::Float16, 0x7C00U}, std::pair{ElementKind::Bfloat16, 0x7F80U}}) {
        std::uint64_t wrong = 0;
        for (unsigned pattern = 0; pattern + 1 < patterns; ++pattern) {
            const float low = valueOf(kind, pattern);
            const float high = valueOf(kind, pattern + 1);
            const float middle = low + (high - low) / 2.0F;  // exact, with one digit more
            const float even = pattern % 2 == 0 ? low : high;
            for (const float sign : {1.0F, -1.0F}) {
                wrong += roundedTo(kind, sign * low) == sign * low ? 0U : 1U;
                wrong += roundedTo(kind, sign * middle) == sign * even ? 0U : 1U;
                wrong +=
                    roundedTo(kind, sign * std::nextafter(middle, 0.0F)) == sign * low ? 0U : 1U;
                wrong += roundedTo(kind, sign * std::nextafter(middle, infinity)) == sign * high
                             ? 0U
                             : 1U;
            }
        }
        INFO(elementText(kind));
        CHECK(wrong == 0);
    }
}

TEST_CASE("what has no finite neighbour of 16 bits is rounded to nothing, infinities stay")
{
    CHECK(roundedTo(ElementKind::Float16, 65519.996F) == 65504.0F);
    CHECK_FALSE(roundedTo(ElementKind::Float16, 65520.0F));
    CHECK_FALSE(roundedTo(ElementKind::Bfloat16, std::numeric_limits<float>::max()));
    CHECK(roundedTo(ElementKind::Float16, -infinity) == -infinity);
    CHECK(std::isnan(roundedTo(ElementKind::Float16, std::nanf("")).value()));
    CHECK(roundedTo(ElementKind::Float32, 0.1F) == 0.1F);
    CHECK(roundedTo(ElementKind::Float16, 1e-8F) == 0.0F);
}

TEST_CASE("values fit as they are, as rounded, or not at all")
{
    const std::vector<float> values{0.1F, 1.0F, std::nanf("")};
    const std::vector<float> half{0.0999755859375F, 1.0F, std::nanf("")};
    CHECK(valuesFit(values, ElementKind::Float32, values) == ValuesFit::Equal);
    CHECK(valuesFit(values, ElementKind::Float16, values) == ValuesFit::Equal);
    CHECK(valuesFit(half, ElementKind::Float16, values) == ValuesFit::Rounded);
    CHECK(valuesFit(half, ElementKind::Float32, values) == ValuesFit::Differ);
    CHECK(valuesFit(half, ElementKind::Bfloat16, values) == ValuesFit::Differ);
    CHECK(valuesFit({}, ElementKind::Float16, {}) == ValuesFit::Equal);
    CHECK(valuesFit(half, ElementKind::Float16, {}) == ValuesFit::Differ);
    // A recorder that overflowed is not taken for one that rounded.
    CHECK(valuesFit(std::vector{infinity}, ElementKind::Float16, std::vector{1e6F}) ==
          ValuesFit::Differ);
}

}  // namespace values_fit_test
