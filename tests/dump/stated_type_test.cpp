// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/stated_type.h"

#include "tests/support/catch.h"

#include <string>
#include <vector>

namespace stated_type_test {

using namespace calibscope;
using Kind = ElementType::Kind;

StatedType words(bool isBigEndian = false)
{
    return {.text = "uint16",
            .element = ElementType{Kind::Uint16, isBigEndian},
            .others = {{Kind::Bfloat16, isBigEndian}, {Kind::Float16, isBigEndian}}};
}

StatedType bytes()
{
    return {.text = "opaque",
            .others = {{Kind::Float8E4m3fn}, {Kind::Float8E5m2}},
            .unreadable = "opaque"};
}

std::string typeOf(const StatedType& stored, const Attributes& attributes)
{
    return statedType(stored, attributes).text;
}

TEST_CASE("every way in which libraries write bfloat16 into an attribute is understood")
{
    for (const std::string text :
         {"bfloat16", "torch.bfloat16", "<class 'ml_dtypes.bfloat16'>", "<dtype: 'bfloat16'>",
          "dtype(bfloat16)", "BF16", "DT_BFLOAT16", "jnp.bfloat16", " Bfloat16 "})
        CHECK(typeOf(words(), {{"dtype", text}}) == "bfloat16");
    for (const std::string name : {"dtype", "torch_dtype", "original_dtype", "Element_Type", "type",
                                   "data_type", "logical_dtype"})
        CHECK(typeOf(words(), {{name, std::string("bfloat16")}}) == "bfloat16");
    CHECK(typeOf(words(), {{"dtype", std::vector<std::string>{"bfloat16"}}}) == "bfloat16");
    CHECK(typeOf(words(), {{"bfloat16", std::int64_t{1}}}) == "bfloat16");
}

TEST_CASE("the stated type replaces the stored one, which remains to be chosen")
{
    const StatedType stated = statedType(words(true), {{"dtype", std::string("float16")}});
    CHECK(stated.text == "float16");
    CHECK(stated.storedText == "uint16");
    CHECK(stated.element == ElementType{Kind::Float16, true});
    CHECK(stated.others == std::vector<ElementType>{{Kind::Uint16, true}, {Kind::Bfloat16, true}});
    CHECK(stated.evidence ==
          std::vector<std::string>{"attribute dtype says that its elements are float16"});

    const StatedType opaque = statedType(bytes(), {{"dtype", std::string("float8_e5m2")}});
    CHECK(opaque.text == "float8_e5m2");
    CHECK(opaque.storedText == "opaque");
    CHECK(opaque.unreadable.empty());
    CHECK(opaque.others == std::vector<ElementType>{{Kind::Float8E4m3fn}});
    CHECK(typeOf(bytes(), {{"dtype", std::string("int8")}}) == "int8");
    CHECK(typeOf(bytes(), {{"dtype", std::string("F8_E4M3")}}) == "float8_e4m3fn");
}

TEST_CASE("attributes that say nothing of the type, or of another size, change nothing")
{
    CHECK(typeOf(words(), {}) == "uint16");
    CHECK(typeOf(words(), {{"note", std::string("was bfloat16 once")}}) == "uint16");
    CHECK(typeOf(words(), {{"op_type", std::string("half")}}) == "uint16");
    CHECK(typeOf(words(), {{"dtype", std::string("float32")}}) == "uint16");
    CHECK(typeOf(words(), {{"dtype", std::string("int16")}}) == "uint16");
    CHECK(typeOf(words(), {{"dtype", std::string("")}}) == "uint16");
    CHECK(typeOf(words(), {{"dtype", 16.0}}) == "uint16");
    CHECK(typeOf(words(), {{"bfloat16", std::int64_t{0}}}) == "uint16");
    CHECK(statedType(words(), {{"note", std::string("bfloat16")}}).others.size() == 2);
}

TEST_CASE("a type that the attributes confirm is not offered as another one")
{
    CHECK(statedType(words(), {{"dtype", std::string("uint16")}}).others.empty());
    const StatedType both = statedType(
        words(), {{"dtype", std::string("uint16")}, {"torch_dtype", std::string("bfloat16")}});
    CHECK(both.text == "bfloat16");
}

TEST_CASE("attributes that contradict each other leave the choice to the user")
{
    const StatedType stated = statedType(
        words(), {{"dtype", std::string("float16")}, {"torch_dtype", std::string("bfloat16")}});
    CHECK(stated.text == "uint16");
    CHECK(stated.others.size() == 2);
}

TEST_CASE("integers with a scale were quantized, whatever type they had before")
{
    const StatedType stated =
        statedType(words(), {{"original_dtype", std::string("bfloat16")}, {"scale", 0.5}});
    CHECK(stated.text == "uint16");
    CHECK(stated.others.empty());
}

TEST_CASE("a type without alternatives stays as it is")
{
    const StatedType floats{.text = "float32", .element = ElementType{}};
    CHECK(typeOf(floats, {{"dtype", std::string("int32")}}) == "float32");
    const StatedType texts{.text = "string", .unreadable = "it holds texts"};
    CHECK(statedType(texts, {{"dtype", std::string("float32")}}).unreadable == "it holds texts");
}

TEST_CASE("a quantizer's attributes are listed by their names")
{
    CHECK(quantizerAttributes({{"zero_point", std::int64_t{0}}, {"scale", 1.0}, {"x", 1.0}}) ==
          "scale, zero_point");
    CHECK(quantizerAttributes({{"upscale", 1.0}}).empty());
}

}  // namespace stated_type_test
