// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/element_format.h"

#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace element_format_test {

using namespace calibscope;
using nlohmann::json;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

json golden()
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/golden/formats.json");
    return json::parse(file);
}

float floatOf(const json& number)
{
    if (number.is_number())
        return static_cast<float>(number.get<double>());
    const std::string text = number;
    return text == "-0" ? -0.0F : text == "inf" ? inf : text == "-inf" ? -inf : nan;
}

/// Equal with the sign of 0; every NaN is one.
bool isSame(float a, float b)
{
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

std::size_t differences(const ElementFormat& format, const json& values)
{
    std::size_t different = 0;
    for (unsigned pattern = 0; pattern < values.size(); ++pattern)
        different += isSame(format.decode(pattern), floatOf(values[pattern])) ? 0U : 1U;
    return different;
}

TEST_CASE("the value of every pattern is that of ml_dtypes, bitsandbytes and llama.cpp")
{
    const json patterns = golden()["patterns"];
    for (const char* id : {"fp8-e4m3", "fp8-e5m2", "fp8-e4m3fnuz", "fp8-e5m2fnuz", "fp6-e2m3",
                           "fp6-e3m2", "fp4-e2m1", "e8m0", "nf4", "iq4-nl"}) {
        INFO(id);
        const ElementFormat& format = elementFormat(id);
        CHECK(format.values().size() == patterns[id]["values"].size());
        CHECK(format.bits() == patterns[id]["bits"].get<int>());
        CHECK(differences(format, patterns[id]["values"]) == 0);
    }
    CHECK(differences(elementFormat("nf4-modelopt"),
                      patterns["nf4"]["modelopt (bfloat16 of four decimals)"]) == 0);
}

TEST_CASE("casts of ml_dtypes: ties to even, what lies beyond is not finite")
{
    const json rounding = golden()["rounding"];
    for (const char* id : {"fp8-e4m3", "fp8-e5m2", "fp8-e4m3fnuz", "fp8-e5m2fnuz", "fp6-e2m3",
                           "fp6-e3m2", "fp4-e2m1"}) {
        const ElementFormat& format = elementFormat(id);
        const json& probes = rounding[id]["x"];
        CHECK(probes.size() > 50);
        for (std::size_t i = 0; i < probes.size(); ++i) {
            INFO(id << " of " << probes[i]);
            const unsigned pattern =
                format.encode(floatOf(probes[i]), Ties::ToEven, Overflow::NotFinite);
            CHECK(isSame(format.decode(pattern), floatOf(rounding[id]["ml_dtypes"][i])));
        }
    }
}

TEST_CASE("what a pattern decodes to is encoded as that pattern")
{
    for (const ElementFormat& format : elementFormats()) {
        INFO(format.id());
        std::size_t different = 0;
        for (unsigned pattern = 0; pattern < format.values().size(); ++pattern) {
            const float value = format.decode(pattern);
            const unsigned again = format.encode(value, Ties::ToEven, Overflow::NotFinite);
            different += isSame(format.decode(again), value) ? 0U : 1U;
            different += again == pattern || std::isnan(value) ? 0U : 1U;
        }
        CHECK(different == (format.id() == "mxint8" ? 2U : 0U));  // -2, which is never written
    }
}

TEST_CASE("a value halfway between two numbers: fp4, by hand")
{
    const ElementFormat& fp4 = elementFormat("fp4-e2m1");  // 0 0.5 1 1.5 2 3 4 6
    struct Tie
    {
        float x, toEven, away, towardsZero;
    };
    for (const Tie& tie :
         {Tie{0.25F, 0.0F, 0.5F, 0.0F}, Tie{0.75F, 1.0F, 1.0F, 0.5F}, Tie{1.25F, 1.0F, 1.5F, 1.0F},
          Tie{1.75F, 2.0F, 2.0F, 1.5F}, Tie{2.5F, 2.0F, 3.0F, 2.0F}, Tie{3.5F, 4.0F, 4.0F, 3.0F},
          Tie{5.0F, 4.0F, 6.0F, 4.0F}}) {
        for (const float sign : {1.0F, -1.0F}) {
            INFO(tie.x * sign);
            CHECK(isSame(fp4.nearest(sign * tie.x), sign * tie.toEven));
            CHECK(isSame(fp4.nearest(sign * tie.x, Ties::AwayFromZero), sign * tie.away));
            CHECK(isSame(fp4.nearest(sign * tie.x, Ties::TowardsZero), sign * tie.towardsZero));
        }
        CHECK(fp4.nearest(std::nextafter(tie.x, inf)) > fp4.nearest(std::nextafter(tie.x, -inf)));
    }
}

TEST_CASE("values beyond the largest number become it, or not finite where that is asked for")
{
    const ElementFormat& e4m3 = elementFormat("fp8-e4m3");
    CHECK(e4m3.nearest(1e30F) == 448.0F);
    CHECK(e4m3.nearest(-inf) == -448.0F);
    CHECK(e4m3.encode(464.0F, Ties::ToEven, Overflow::NotFinite) == 0x7eU);
    CHECK(e4m3.encode(464.0F, Ties::AwayFromZero, Overflow::NotFinite) == 0x7fU);
    CHECK(e4m3.encode(-464.00003F, Ties::ToEven, Overflow::NotFinite) == 0xffU);
    const ElementFormat& e5m2 = elementFormat("fp8-e5m2");
    CHECK(e5m2.decode(e5m2.encode(61440.0F, Ties::ToEven, Overflow::NotFinite)) == inf);
    CHECK(e5m2.decode(e5m2.encode(61439.0F, Ties::ToEven, Overflow::NotFinite)) == 57344.0F);
    CHECK(elementFormat("fp4-e2m1").nearest(inf) == 6.0F);
    CHECK(elementFormat("int4").nearest(-100.0F) == -8.0F);
}

TEST_CASE("NaN has a pattern where the format has one, and is a zero elsewhere")
{
    CHECK(elementFormat("fp8-e4m3").encode(nan) == 0x7fU);
    CHECK(elementFormat("fp8-e4m3").encode(-nan) == 0xffU);
    CHECK(elementFormat("fp8-e4m3fnuz").encode(-nan) == 0x80U);
    CHECK(elementFormat("fp4-e2m1").encode(nan) == 8U);
    CHECK(elementFormat("int8").encode(nan) == 0U);
    CHECK(elementFormat("iq4-nl").decode(elementFormat("iq4-nl").encode(nan)) == 1.0F);
}

TEST_CASE("integers are two's complement, the MX standard's in steps of 1/64")
{
    CHECK(elementFormat("int4").encode(-1.0F) == 15U);
    CHECK(elementFormat("int4").encode(-8.4F) == 8U);
    CHECK(elementFormat("int4").encode(2.5F) == 2U);
    CHECK(elementFormat("int4").encode(3.5F) == 4U);
    CHECK(elementFormat("uint4").encode(-3.0F) == 0U);
    CHECK(elementFormat("int16").encode(-32768.0F) == 32768U);
    CHECK(elementFormat("int16").nearest(12345.6F) == 12346.0F);
    CHECK(elementFormat("mxint8").encode(-5.0F) == 129U);  // -127
    CHECK(elementFormat("mxint8").nearest(1.0F + 1.0F / 128.0F) == 1.0F);
    CHECK(elementFormat("iq4-nl").nearest(0.0F) == 1.0F);
    CHECK(elementFormat("iq4-nl").nearest(-4.5F) == 1.0F);  // a tie, pattern 8 is even
}

TEST_CASE("float16 and bfloat16, the formats of scales")
{
    CHECK(elementFormat("float16").encode(1.0F) == 0x3c00U);
    CHECK(elementFormat("float16").nearest(65520.0F) == 65504.0F);
    CHECK(elementFormat("float16").nearest(1e-8F) == 0.0F);
    CHECK(elementFormat("float16").nearest(0x1p-24F) == 0x1p-24F);
    CHECK(elementFormat("bfloat16").encode(-1.0F) == 0xbf80U);
    CHECK(elementFormat("bfloat16").nearest(1.0F + 0x1p-8F) == 1.0F);
    CHECK(elementFormat("bfloat16").nearest(1.0F + 3 * 0x1p-8F) == 1.0F + 4 * 0x1p-8F);
}

TEST_CASE("an unknown format is refused with those there are")
{
    CHECK_THROWS_WITH(elementFormat("fp5"), test::containsText("fp8-e4m3, fp8-e5m2"));
}

}  // namespace element_format_test
