// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/placed_scales.h"

#include "tests/support/catch.h"

namespace placed_scales_test {

using namespace calibscope;
using namespace calibscope::deploy;

DecidedTensor decided(SchemeKind kind, const Quantizer& quantizer)
{
    DecidedTensor tensor;
    tensor.info.name = "a.b";
    tensor.info.role = Role::Activation;
    tensor.info.shape = {6, 4};
    tensor.info.batchAxis = 0;
    tensor.outcome.choice.scheme.kind = kind;
    tensor.outcome.whole.quantizer = quantizer;
    tensor.outcome.whole.metrics = {{"clipped_share", 0.25}};
    return tensor;
}

const model::GraphTensor found{.name = "a/b",
                               .scope = "If_0.then_branch",
                               .op = "Conv",
                               .elementType = {},
                               .shape = {},
                               .consumerOp = {}};

TEST_CASE("a decision becomes float32 scales and levels of int8")
{
    const model::TensorScales scales =
        modelScales(decided(SchemeKind::SymmetricFull, {.scale = 0.1, .lowLevel = -128}), found);
    CHECK(scales.tensor == "a/b");
    CHECK(scales.scope == "If_0.then_branch");
    CHECK(scales.dumpName == "a.b");
    CHECK(!scales.isWeight);
    CHECK(scales.quantization.scales == std::vector<float>{0.1F});
    CHECK(scales.quantization.zeroPoints == std::vector<double>{0.0});
    CHECK(scales.quantization.format.low() == -128);
    CHECK(scales.clippedShare == 0.25);
    CHECK(scales.samples == 6);
    CHECK(scales.scheme == "symmetric-full");
}

TEST_CASE("a weight has channels, and no samples")
{
    DecidedTensor weight = decided(SchemeKind::SymmetricRestricted, {});
    weight.info.role = Role::Weight;
    weight.outcome.channels.resize(4);
    weight.outcome.channels[3].quantizer.scale = 0.1;
    const model::TensorScales scales = modelScales(weight, found);
    CHECK(scales.isWeight);
    CHECK(scales.unrounded == std::vector<double>{1.0, 1.0, 1.0, 0.1});
    CHECK(scales.samples == 0);
}

TEST_CASE("what a kernel can't take is told")
{
    Quantizer quantizer{.scale = 0.1, .zeroPoint = 2.5};
    quantizer.rounding = Rounding::HalfAway;
    const model::TensorScales scales =
        modelScales(decided(SchemeKind::AffineReal, quantizer), found);
    CHECK(scales.quantization.roundsWithZeroPoint);
    CHECK(!scales.roundsHalfEven);
}

}  // namespace placed_scales_test
