// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/element_type.h"

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

using Kind = ElementType::Kind;

struct KindFacts
{
    Kind kind;
    std::string_view text;
    std::size_t bytes;
    std::string_view loss = {};
};

constexpr std::string_view fromDouble =
    "float64 is rounded to the nearest float32; magnitudes beyond 3.4e38 become infinite";
constexpr std::string_view fromWhole =
    "whole numbers beyond 16777216 are rounded to the nearest float32";  // 2^24

constexpr std::array kinds{
    KindFacts{Kind::Float64, "float64", 8, fromDouble},
    KindFacts{Kind::Float32, "float32", 4},
    KindFacts{Kind::Float16, "float16", 2},
    KindFacts{Kind::Bfloat16, "bfloat16", 2},
    KindFacts{Kind::Float8E4m3fn, "float8_e4m3fn", 1},
    KindFacts{Kind::Float8E5m2, "float8_e5m2", 1},
    KindFacts{Kind::Float8E4m3, "float8_e4m3", 1},
    KindFacts{Kind::Float8E4m3fnuz, "float8_e4m3fnuz", 1},
    KindFacts{Kind::Float8E5m2fnuz, "float8_e5m2fnuz", 1},
    KindFacts{Kind::Float8E4m3b11fnuz, "float8_e4m3b11fnuz", 1},
    KindFacts{Kind::Int8, "int8", 1},
    KindFacts{Kind::Int16, "int16", 2},
    KindFacts{Kind::Int32, "int32", 4, fromWhole},
    KindFacts{Kind::Int64, "int64", 8, fromWhole},
    KindFacts{Kind::Uint8, "uint8", 1},
    KindFacts{Kind::Uint16, "uint16", 2},
    KindFacts{Kind::Uint32, "uint32", 4, fromWhole},
    KindFacts{Kind::Uint64, "uint64", 8, fromWhole},
};

constexpr bool isInOrder()
{
    for (std::size_t place = 0; place < kinds.size(); ++place)
        if (static_cast<std::size_t>(kinds[place].kind) != place)
            return false;
    return true;
}
static_assert(isInOrder(), "a kind's facts are found by its number");

const KindFacts& factsOf(Kind kind)
{
    return kinds[static_cast<std::size_t>(kind)];
}

}  // namespace

std::size_t ElementType::bytes() const
{
    return factsOf(kind).bytes;
}

std::string_view elementText(ElementKind kind)
{
    return factsOf(kind).text;
}

bool ElementType::isInteger() const
{
    return kind >= Kind::Int8;
}

std::string_view ElementType::loss() const
{
    return factsOf(kind).loss;
}

std::span<const ElementKind> elementKinds()
{
    static const auto list = [] {
        std::array<Kind, kinds.size()> all{};
        std::ranges::transform(kinds, all.begin(), &KindFacts::kind);
        return all;
    }();
    return list;
}

std::optional<ElementKind> elementKind(std::string_view text)
{
    const auto* const found = std::ranges::find(kinds, text, &KindFacts::text);
    if (found == kinds.end())
        return std::nullopt;
    return found->kind;
}

}  // namespace calibscope
