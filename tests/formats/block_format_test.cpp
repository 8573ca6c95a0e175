// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/block_format.h"

#include "core/formats/format_presets.h"

#include "tests/support/catch.h"

#include <set>

namespace block_format_test {

using namespace calibscope;

double effectiveBits(const char* id, const MatrixShape& matrix)
{
    const BlockFormat format = parseBlockFormat(id);
    return format.effectiveBits(matrix.values(), format.granularity.blocks(matrix, 0));
}

TEST_CASE("effective bits count elements and all scales that are stored")
{
    const MatrixShape large{.outer = 4096, .length = 4096};
    CHECK(effectiveBits("int8", large) == 8.0 + 32.0 / (4096.0 * 4096.0));
    CHECK(effectiveBits("int4-g128", large) == 4.25);
    CHECK(effectiveBits("int4-g32:scales=float16", large) == 4.5);
    CHECK(effectiveBits("uint4-g64", large) == 4.0 + (32.0 + 4.0) / 64.0);
    CHECK(effectiveBits("mxfp4", large) == 4.25);
    CHECK(effectiveBits("mxfp6-e2m3", large) == 6.25);
    CHECK(effectiveBits("nvfp4", large) == 4.5 + 32.0 / (4096.0 * 4096.0));
    CHECK(effectiveBits("nvfp4-1", large) == 4.5);
    CHECK(effectiveBits("nf4-g64", large) == 4.5);
    CHECK(effectiveBits("q8_0", large) == 8.5);
    CHECK(effectiveBits("q4_1", large) == 5.0);
    CHECK(effectiveBits("q5_1", large) == 6.0);
    CHECK(effectiveBits("q2_k", large) == 2.625);
    CHECK(effectiveBits("q3_k", large) == 3.4375);
    CHECK(effectiveBits("q4_k", large) == 4.5);
    CHECK(effectiveBits("q5_k", large) == 5.5);
    CHECK(effectiveBits("q6_k", large) == 6.5625);
    CHECK(effectiveBits("fp8-e4m3-row", large) == 8.0 + 32.0 / 4096.0);
    CHECK(effectiveBits("fp8-e4m3-b128x128", large) == 8.0 + 32.0 / 16384.0);
}

TEST_CASE("a short group at the end of a row costs a whole scale")
{
    const MatrixShape ragged{.outer = 7, .length = 100};
    CHECK(effectiveBits("mxfp4", ragged) == 4.0 + 7 * 4 * 8 / 700.0);
    CHECK(effectiveBits("int4-g128", ragged) == 4.0 + 7 * 32 / 700.0);
    CHECK(effectiveBits("mxfp4", {.outer = 0, .length = 32}) == 0.0);
}

TEST_CASE("every listed format has an id of its own and is found by it, in any case")
{
    std::set<std::string> ids;
    for (const BlockFormat& format : blockFormats()) {
        ids.insert(format.id);
        CHECK(parseBlockFormat(format.id).id == format.id);
        CHECK_FALSE(format.users.empty());
    }
    CHECK(ids.size() == blockFormats().size());
    CHECK(parseBlockFormat("NVFP4").id == "nvfp4");
}

TEST_CASE("elements may have any granularity")
{
    const BlockFormat int3 = parseBlockFormat("int3-g64");
    CHECK(int3.element->id() == "int3");
    CHECK(int3.granularity == Granularity{Granularity::Kind::Group, 1, 64});
    CHECK(int3.divisor == 3.0);
    CHECK(parseBlockFormat("fp8-e5m2-b64x32").granularity ==
          Granularity{Granularity::Kind::Tile, 64, 32});
    CHECK(parseBlockFormat("uint3-channel").rule == ScaleRule::Affine);
    CHECK(parseBlockFormat("fp6-e2m3").granularity == Granularity{});
    CHECK(parseBlockFormat("nf4-row").element->id() == "nf4");
}

TEST_CASE("a preset is the format that it stands for, with further parameters")
{
    for (const FormatPreset& preset : formatPresets()) {
        INFO(preset.id);
        CHECK(parseBlockFormat(preset.id).id == parseBlockFormat(preset.format).id);
    }
    CHECK(parseBlockFormat("CT-W4A16").divisor == 7.5);
    CHECK(parseBlockFormat("ct-w4a16:scales=float16").id ==
          parseBlockFormat("int4-g128:divisor=qmax+0.5,scales=float16").id);
}

TEST_CASE("parameters are those of the format, and become part of its id")
{
    CHECK(parseBlockFormat("mxfp4:scale-rule=even").rule == ScaleRule::Even);
    CHECK(parseBlockFormat("mxfp4:scale-rule=even").id == "mxfp4:scale-rule=even");
    CHECK(parseBlockFormat("int4-g32:divisor=qmax+0.5").divisor == 7.5);
    CHECK(parseBlockFormat("int4-g32:divisor=signed").rule == ScaleRule::Signed);
    CHECK(parseBlockFormat("mxfp4:rounding=half-down").ties == Ties::TowardsZero);
    CHECK(parseBlockFormat("nvfp4:tensor-maximum=3.5").tensorMaximum == 3.5);
    CHECK_FALSE(parseBlockFormat("nvfp4:tensor-maximum=max").tensorMaximum);
    CHECK(parseBlockFormat("nvfp4:tensor-maximum=act-headroom,headroom=4096").headroom->ratio ==
          4096.0);
    CHECK_THROWS_WITH(parseBlockFormat("mxfp4:divisor=qmax"), test::containsText("divisor"));
    CHECK_THROWS_WITH(parseBlockFormat("mxfp4:scale-rule=up"), test::containsText("rceil"));
    CHECK_THROWS_WITH(parseBlockFormat("q8_0:rounding=half-even"), test::containsText("rounding"));
    CHECK(parseBlockFormat("int4-g32:search=shrink,importance=hessian").search.importance ==
          ScaleSearch::Importance::Hessian);
    CHECK_THROWS_WITH(parseBlockFormat("int4-g32:importance=input"),
                      test::containsText("importance is that of errors in a search"));
    CHECK_THROWS_WITH(parseBlockFormat("q4_k:importance=hessian"), test::containsText("input"));
    CHECK_THROWS_WITH(parseBlockFormat("q4_k:scales=float32"), test::containsText("scales"));
    CHECK_THROWS_WITH(parseBlockFormat("fp5"), test::containsText("there is no number format fp5"));
    CHECK_THROWS_WITH(parseBlockFormat("e8m0-g32"), test::containsText("there is no number"));
}

}  // namespace block_format_test
