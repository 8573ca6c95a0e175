// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/decided_tensor.h"

#include "tests/support/catch.h"

namespace decided_tensor_test {

using namespace calibscope;

DecidedTensor decidedWith(SchemeKind kind, const Quantizer& quantizer)
{
    DecidedTensor tensor;
    tensor.outcome.choice.scheme.kind = kind;
    tensor.outcome.whole.quantizer = quantizer;
    return tensor;
}

TEST_CASE("levels and zero points are those that were decided")
{
    const TensorQuantization quantization = quantizationOf(decidedWith(
        SchemeKind::Affine, {.scale = 0.1, .zeroPoint = 30, .lowLevel = 0, .highLevel = 255}));
    CHECK(quantization == TensorQuantization{.scales = {0.1F},
                                             .zeroPoints = {30.0},
                                             .format = NumberFormat::integers(0, 255)});
}

TEST_CASE("in signed integers, levels from 0 on are 128 less")
{
    const TensorQuantization quantization = signedQuantizationOf(decidedWith(
        SchemeKind::Affine, {.scale = 0.1, .zeroPoint = 30, .lowLevel = 0, .highLevel = 255}));
    CHECK(quantization.format == NumberFormat::integers(-128, 127));
    CHECK(quantization.zeroPoints == std::vector<double>{-98.0});
    const TensorQuantization restricted =
        signedQuantizationOf(decidedWith(SchemeKind::SymmetricRestricted, {.scale = 0.1}));
    CHECK(restricted.format == NumberFormat::integers(-127, 127));
    CHECK(restricted.zeroPoints == std::vector<double>{0.0});
}

TEST_CASE("a zero point that is not an integer is rounded for signed integers alone")
{
    const DecidedTensor real =
        decidedWith(SchemeKind::AffineReal, {.scale = 0.1, .zeroPoint = 2.25});
    CHECK(quantizationOf(real).zeroPoints == std::vector<double>{2.25});
    CHECK(quantizationOf(real).roundsWithZeroPoint);
    CHECK(signedQuantizationOf(real).zeroPoints == std::vector<double>{2.0});
}

TEST_CASE("scales of groups lie along the axis that is summed over")
{
    DecidedTensor tensor = decidedWith(SchemeKind::SymmetricFull, {});
    tensor.info.shape = {2, 64};
    tensor.info.channelAxis = 0;
    tensor.info.role = Role::Weight;
    tensor.outcome.choice.granularity = parseGranularity("g32");
    tensor.outcome.channels.assign(4, tensor.outcome.whole);
    const TensorQuantization groups = quantizationOf(tensor);
    CHECK(groups.axis == 1);
    CHECK(groups.group == 32);
    CHECK(groups.scales.size() == 4);
    CHECK(groups.scaleShape(tensor.info.shape) == std::vector<std::uint64_t>{2, 2});
}

TEST_CASE("scales per channel lie along the channel axis, those per row along the other one")
{
    DecidedTensor weight = decidedWith(SchemeKind::SymmetricRestricted, {});
    weight.info.channelAxis = 1;
    weight.outcome.channels.resize(4);
    weight.outcome.channels[3].quantizer.scale = 0.5;
    weight.outcome.choice.granularity = Granularity::Channel;
    const TensorQuantization quantization = quantizationOf(weight);
    CHECK(quantization.axis == 1);
    CHECK(quantization.scales == std::vector<float>{1.0F, 1.0F, 1.0F, 0.5F});
    CHECK(quantization.zeroPoints == std::vector<double>(4, 0.0));
    weight.outcome.choice.granularity = Granularity::Row;
    CHECK(quantizationOf(weight).axis == 0);
}

}  // namespace decided_tensor_test
