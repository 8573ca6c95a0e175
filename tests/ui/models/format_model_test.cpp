// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/format_model.h"

#include "tests/support/catch.h"

#include <limits>

namespace format_model_test {

using namespace calibscope;

/// Three values under a format, by the format's own functions.
protocol::EncodedBlock blockUnder(const BlockFormat& format, const std::vector<float>& values)
{
    BlockPeak peak;
    peak.add(values);
    protocol::EncodedBlock block{.blocks = 1, .scale = blockScale(format, peak, 1.0F)};
    block.largest = static_cast<double>(peak.largest());
    std::vector<float> decoded(values.size());
    std::vector<std::uint16_t> patterns(values.size());
    encodeBlock(format, block.scale, values, decoded, patterns);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto x = static_cast<double>(values[i]);
        const double error = x - static_cast<double>(decoded[i]);
        block.indices.push_back(i);
        block.values.push_back(x);
        block.decoded.push_back(static_cast<double>(decoded[i]));
        block.patterns.push_back(patterns[i]);
        ++block.errors.sums.count;
        block.errors.sums.sumSquares += x * x;
        block.errors.sums.squaredRounding += error * error;
    }
    return block;
}

TEST_CASE("a block of powers of two is explained by each scale rule, by hand")
{
    // 7 under floor: scale 1, 7 becomes 6 (an error of 1); under the others scale 2: 7 / 2 = 3.5
    // becomes 4, whose pattern is even, and 8. Of 1: 1 / 2 = 0.5 is exact, and 3 / 2 = 1.5.
    const BlockFormat format = parseBlockFormat("mxfp4");
    const QString text = blockText(format, blockUnder(format, {7.0F, 1.0F, 3.0F}));
    // 10 log10(59 / 1) both times.
    CHECK(
        text.toStdString() ==
        "Largest magnitude 7, scale 1 (e8m0 0x7f): 17.7 dB; of 3 values 0 clipped, 0 become 0. By "
        "scale rule: floor 1: 17.7 dB, rceil 2: 17.7 dB, even 2: 17.7 dB, ceil 2: 17.7 dB.");
}

TEST_CASE("integers with a zero point state it; values have their stored bits")
{
    const BlockFormat format = parseBlockFormat("uint4-g32");
    const protocol::EncodedBlock block = blockUnder(format, {-3.0F, 12.0F, 0.0F});
    CHECK(blockText(format, block).toStdString() ==
          "Largest magnitude 12, scale 1, zero point 3: ∞ dB; of 3 values 0 clipped, 0 become 0.");
    const std::vector<BlockValue> rows = blockValues(format, block);
    REQUIRE(rows.size() == 3);
    const TableDescriptor<BlockValue> table = blockTable();
    CHECK(table.columns[2].text(rows[1]).toStdString() == "0xf");
    CHECK(table.columns[4].number(rows[1]) == 0.0);
}

TEST_CASE("a block with NaN or an infinity states what it becomes in other tools")
{
    const BlockFormat format = parseBlockFormat("nvfp4");
    protocol::EncodedBlock block = blockUnder(format, {-3.0F, 12.0F, 0.0F});
    block.errors.notFinite = 1;
    block.values[2] = std::numeric_limits<double>::infinity();
    CHECK_THAT(blockText(format, block).toStdString(),
               test::containsText("left out: 1. In torchao, ModelOpt, NNCF and compressed-tensors "
                                  "all of the tensor become NaN."));
    block.values[2] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(blockText(format, block).toStdString(),
               test::containsText("in compressed-tensors all of the block."));
    const BlockFormat integers = parseBlockFormat("int4-g32");
    block.errors.sums.count = 2;
    CHECK_THAT(blockText(integers, block).toStdString(), test::containsText("left out: 1."));
}

TEST_CASE("a group of a super-block states its whole number, and its minimum")
{
    const BlockFormat format = parseBlockFormat("q4_k");
    protocol::EncodedBlock block{.blocks = 8,
                                 .scale = {.scale = 0.5F, .minimum = -2.0F, .pattern = 0x87fU}};
    block.largest = 5.5;
    CHECK_THAT(blockText(format, block).toStdString(),
               test::containsText("Largest magnitude 5.5, scale 0.5 (0x3f of 6 bits, by the "
                                  "float16 of 256 values), minimum −2:"));
}

TEST_CASE("a format without an error has no figure by bit, one that none exceeds is bold")
{
    EncodedTensor encoded{.format = parseBlockFormat("int4-g32")};
    encoded.errors.sums = {.count = 2, .sumSquares = 100.0, .squaredRounding = 1.0};
    encoded.errors.effectiveBits = 5.0;
    encoded.isBest = true;
    const TableDescriptor<EncodedTensor> table = formatTable();
    CHECK(table.columns[2].text(encoded).toStdString() == "20.0");
    CHECK(table.columns[3].text(encoded).toStdString() == "4.00");
    CHECK(table.grade(encoded) == Grade::Bold);
    encoded.errors.sums.squaredRounding = 0.0;
    CHECK(table.columns[3].text(encoded).toStdString() == "–");
}

}  // namespace format_model_test
