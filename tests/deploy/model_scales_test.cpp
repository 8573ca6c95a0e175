#include "core/deploy/model_scales.h"

#include "tests/support/catch.h"

namespace model_scales_test {

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
    CHECK(scales.scales == std::vector<float>{0.1F});
    CHECK(scales.zeroPoints == std::vector<int>{0});
    CHECK(scales.low == -128);
    CHECK(scales.clippedShare == 0.25);
    CHECK(scales.samples == 6);
    CHECK(scales.scheme == "symmetric-full");
}

TEST_CASE("levels from 0 on are 128 less")
{
    const model::TensorScales scales =
        modelScales(decided(SchemeKind::Affine,
                            {.scale = 0.1, .zeroPoint = 30, .lowLevel = 0, .highLevel = 255}),
                    found);
    CHECK(scales.low == -128);
    CHECK(scales.high == 127);
    CHECK(scales.zeroPoints == std::vector<int>{-98});
}

TEST_CASE("scales per channel lie along the channel axis, those per row along the other one")
{
    DecidedTensor weight = decided(SchemeKind::SymmetricRestricted, {});
    weight.info.role = Role::Weight;
    weight.info.batchAxis.reset();
    weight.info.channelAxis = 1;
    weight.outcome.channels.resize(4);
    weight.outcome.channels[3].quantizer.scale = 0.5;
    weight.outcome.choice.granularity = Granularity::Channel;
    const model::TensorScales scales = modelScales(weight, found);
    CHECK(scales.isWeight);
    CHECK(scales.axis == 1);
    CHECK(scales.scales == std::vector<float>{1.0F, 1.0F, 1.0F, 0.5F});
    CHECK(scales.zeroPoints == std::vector<int>(4, 0));
    CHECK(scales.samples == 0);
    weight.outcome.choice.granularity = Granularity::Row;
    CHECK(modelScales(weight, found).axis == 0);
}

TEST_CASE("what a kernel can't take is told")
{
    Quantizer quantizer{.scale = 0.1, .zeroPoint = 2.5};
    quantizer.rounding = Rounding::HalfAway;
    const model::TensorScales scales =
        modelScales(decided(SchemeKind::AffineReal, quantizer), found);
    CHECK(scales.hasRealZeroPoint);
    CHECK(!scales.roundsHalfEven);
}

}  // namespace model_scales_test
