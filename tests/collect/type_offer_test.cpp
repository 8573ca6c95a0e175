// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/type_offer.h"

#include "tests/support/catch.h"

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace type_offer_test {

using namespace calibscope;

/// What is offered for 16-bit integers of these patterns; "" for nothing.
std::string offered(const std::vector<std::uint16_t>& patterns, bool isSigned = false)
{
    std::vector<float> values;
    for (const std::uint16_t pattern : patterns)
        values.push_back(isSigned ? static_cast<float>(std::bit_cast<std::int16_t>(pattern))
                                  : static_cast<float>(pattern));
    const std::optional<TypeOffer> offer =
        typeOffer(sourceOf({.name = "t",
                            .elementType = isSigned ? ElementKind::Int16 : ElementKind::Uint16,
                            .otherTypes = {ElementKind::Bfloat16, ElementKind::Float16},
                            .shape = {values.size()}},
                           values));
    return offer ? std::string(elementText(offer->elementType)) : "";
}

std::vector<std::uint16_t> drawn(auto draw, std::size_t count = 10000)
{
    std::mt19937 random(7);
    std::vector<std::uint16_t> patterns(count);
    for (std::uint16_t& pattern : patterns)
        pattern = static_cast<std::uint16_t>(draw(random));
    return patterns;
}

/// bfloat16 by cutting a float32.
std::uint16_t cut(float value)
{
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

/// float16 of a value in its normal range, cut.
std::uint16_t half(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = (bits & 0x7fffffffU) - (112U << 23);
    return static_cast<std::uint16_t>((bits >> 16 & 0x8000U) | magnitude >> 13);
}

TEST_CASE("activations stored as words of bfloat16 are recognized")
{
    std::normal_distribution<float> gauss;
    const auto both = drawn([&](std::mt19937& random) { return cut(gauss(random)); });
    CHECK(offered(both) == "bfloat16");
    CHECK(offered(both, true) == "bfloat16");
    CHECK(offered(drawn([&](std::mt19937& random) {
              return cut(std::max(0.0F, gauss(random)));
          })) == "bfloat16");
    CHECK(offered(drawn([&](std::mt19937& random) { return cut(0.02F * gauss(random)); })) ==
          "bfloat16");
}

TEST_CASE("values of both signs stored as words of float16 are recognized")
{
    std::normal_distribution<float> gauss;
    CHECK(offered(drawn([&](std::mt19937& random) {
              const float value = gauss(random);
              return half(std::abs(value) < 1e-4F ? 1e-4F : value);
          })) == "float16");
}

TEST_CASE("integers are not taken for floats")
{
    const auto upTo = [](unsigned end) {
        return drawn([end](std::mt19937& random) { return random() % end; });
    };
    CHECK(offered(upTo(65536)).empty());  // any words
    CHECK(offered(upTo(50257)).empty());  // tokens of GPT-2
    CHECK(offered(upTo(30522)).empty());  // tokens of BERT
    CHECK(offered(upTo(1000)).empty());   // classes
    CHECK(offered(upTo(4096)).empty());   // a camera's 12 bits
    CHECK(offered(upTo(16384)).empty());  // 14 bits
    std::normal_distribution<double> depth(3000.0, 500.0);
    CHECK(offered(drawn([&](std::mt19937& random) {
              return random() % 10 == 0 ? 0.0 : depth(random);  // mm, 0 where unknown
          })).empty());
    CHECK(offered(drawn([&](std::mt19937& random) { return depth(random) - 3000.0; }), true)
              .empty());  // sound
    CHECK(offered(std::vector<std::uint16_t>(1000, 0)).empty());
    CHECK(offered(std::vector<std::uint16_t>(1000, 0x3f80)).empty());
}

TEST_CASE("a few values are not evidence")
{
    std::normal_distribution<float> gauss;
    const auto draw = [&](std::mt19937& random) { return cut(gauss(random)); };
    CHECK(offered(drawn(draw, 255)).empty());
    CHECK(offered(drawn(draw, 256)) == "bfloat16");
}

TEST_CASE("the share of usual values is told, never rounded up")
{
    std::vector<std::uint16_t> patterns(1000, cut(-1.5F));
    std::fill_n(patterns.begin(), 500, cut(2.0F));
    std::fill_n(patterns.begin(), 4, cut(1e-30F));
    std::vector<float> values(patterns.begin(), patterns.end());
    const TensorInfo info{
        .elementType = ElementKind::Uint16, .otherTypes = {ElementKind::Bfloat16}, .shape = {1000}};
    CHECK(typeOffer(sourceOf(info, values)) ==
          TypeOffer{.elementType = ElementKind::Bfloat16,
                    .reason = "read as bfloat16, 99.6 % of the first 1000 values are 0 or of a "
                              "magnitude from 1e-08 to 1000"});
    std::fill_n(patterns.begin(), 11, cut(1e-30F));
    values.assign(patterns.begin(), patterns.end());
    CHECK_FALSE(typeOffer(sourceOf(info, values)));
}

TEST_CASE("nothing is offered where a type was stated, chosen, or has no alternative")
{
    const std::vector<float> values(1000, 16256.0F);
    for (const TensorInfo& info :
         std::vector<TensorInfo>{{.elementType = ElementKind::Uint16, .shape = {1000}},
                                 {.elementType = ElementKind::Uint16,
                                 .storedType = "uint16",
                                 .otherTypes = {ElementKind::Bfloat16},
                                 .shape = {1000}},
                                 {.elementType = ElementKind::Bfloat16,
                                 .storedType = "uint16",
                                 .otherTypes = {ElementKind::Uint16},
                                 .shape = {1000}},
                                 {.elementType = ElementKind::Float32, .shape = {1000}}}) {
        const ValueSource source{.info = info, .visit = [](const BlockVisitor&, const Progress&) {
                                     FAIL("values were read");
                                 }};
        CHECK_FALSE(typeOffer(source));
    }
}

TEST_CASE("only the first values are read")
{
    std::vector<float> values(1000000, 16256.0F);
    std::fill_n(values.begin(), 50000, 49184.0F);
    ValueSource source = sourceOf({.elementType = ElementKind::Uint16,
                                   .otherTypes = {ElementKind::Bfloat16},
                                   .shape = {1000000},
                                   .batchAxis = 0,
                                   .batchSize = 1000},
                                  values);
    std::size_t blocks = 0;
    const auto visit = source.visit;
    source.visit = [&](const BlockVisitor& visitor, const Progress& progress) {
        visit(
            [&](const Block& block) {
                ++blocks;
                visitor(block);
            },
            progress);
    };
    CHECK(typeOffer(source));
    CHECK(blocks == 66);  // of 1000: the first beyond 65536
}

}  // namespace type_offer_test
