// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/layer_plan.h"

#include "tests/support/catch.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace layer_plan_test {

using namespace calibscope;
using layers::LayerPlan;
using layers::LayerShapes;
using layers::planLayer;
using layers::PlannedLayer;

/// The outputs of one sample, by the plan's own words.
std::vector<double> outputsOf(const LayerPlan& plan, const std::vector<float>& input,
                              const std::vector<float>& weight)
{
    std::vector<double> outputs(plan.outputValues, -999.0);
    std::vector<std::int64_t> offsets(plan.inners);
    for (std::uint64_t place = 0; place < plan.places; ++place) {
        plan.offsetsAt(place, offsets);
        for (std::uint64_t channel = 0; channel < plan.channels(); ++channel) {
            const std::uint64_t group = channel / plan.channelsPerGroup;
            double sum = 0.0;
            for (std::uint64_t outer = 0; outer < plan.outers; ++outer)
                for (std::uint64_t inner = 0; inner < plan.inners; ++inner)
                    if (offsets[inner] >= 0)
                        sum += static_cast<double>(
                                   input.at((group * plan.outers + outer) * plan.inputOuter +
                                            static_cast<std::uint64_t>(offsets[inner]))) *
                               static_cast<double>(
                                   weight.at(plan.matrixOf(place) * plan.weightMatrix +
                                             group * plan.weightGroup + outer * plan.weightOuter +
                                             inner * plan.weightInner +
                                             channel % plan.channelsPerGroup * plan.weightChannel));
            outputs.at(plan.outputBase(place) + channel * plan.outputChannel) = plan.factor * sum;
        }
    }
    return outputs;
}

LayerPlan planned(const LayerShapes& shapes, const OpGeometry& geometry = {})
{
    PlannedLayer result = planLayer(shapes, geometry);
    INFO(result.whyNot);
    REQUIRE(result.whyNot.empty());
    return result.plan;
}

std::string whyNot(const LayerShapes& shapes, const OpGeometry& geometry = {})
{
    return planLayer(shapes, geometry).whyNot;
}

const std::vector<float> oneToFour{1, 2, 3, 4};

LayerShapes line(std::uint64_t in, std::uint64_t kernel, std::uint64_t out,
                 const std::string& op = "Conv")
{
    return {.op = op, .input = {1, 1, in}, .weight = {1, 1, kernel}, .output = {1, 1, out}};
}

TEST_CASE("a convolution along a line, by hand")
{
    CHECK(outputsOf(planned(line(4, 2, 3)), oneToFour, {1, 10}) == std::vector<double>{21, 32, 43});
    SECTION("more zeros behind than in front")
    {
        OpGeometry geometry;
        geometry.pads = {1, 2};
        CHECK(outputsOf(planned(line(4, 2, 6), geometry), oneToFour, {1, 10}) ==
              std::vector<double>{10, 21, 32, 43, 4, 0});
    }
    SECTION("every second place")
    {
        OpGeometry geometry;
        geometry.strides = {2};
        CHECK(outputsOf(planned(line(4, 2, 2), geometry), oneToFour, {1, 10}) ==
              std::vector<double>{21, 43});
    }
    SECTION("taps two apart")
    {
        OpGeometry geometry;
        geometry.dilations = {2};
        CHECK(outputsOf(planned(line(4, 2, 2), geometry), oneToFour, {1, 10}) ==
              std::vector<double>{31, 42});
    }
    SECTION("SAME_UPPER puts the odd zero behind, SAME_LOWER in front, VALID none")
    {
        OpGeometry geometry;
        geometry.autoPad = "SAME_UPPER";
        CHECK(outputsOf(planned(line(4, 2, 4), geometry), oneToFour, {1, 10}) ==
              std::vector<double>{21, 32, 43, 4});
        geometry.autoPad = "SAME_LOWER";
        CHECK(outputsOf(planned(line(4, 2, 4), geometry), oneToFour, {1, 10}) ==
              std::vector<double>{10, 21, 32, 43});
        geometry.autoPad = "VALID";
        CHECK(outputsOf(planned(line(4, 2, 3), geometry), oneToFour, {1, 10}) ==
              std::vector<double>{21, 32, 43});
    }
}

TEST_CASE("a convolution in two groups takes each group's channels alone")
{
    // Four channels of one value; the second and fourth output take the other weights.
    const LayerPlan plan =
        planned({.op = "Conv", .input = {1, 4, 1}, .weight = {4, 2, 1}, .output = {1, 4, 1}});
    CHECK(plan.groups == 2);
    CHECK(outputsOf(plan, oneToFour, {1, 10, 2, 20, 1, 10, 3, 30}) ==
          std::vector<double>{21, 42, 43, 129});
}

TEST_CASE("a transposed convolution along a line, by hand")
{
    // Each value puts (1, 10) times itself at twice its place: 1 10 2 20.
    const LayerShapes shapes{
        .op = "ConvTranspose", .input = {1, 1, 2}, .weight = {1, 1, 2}, .output = {1, 1, 4}};
    OpGeometry geometry;
    geometry.strides = {2};
    CHECK(outputsOf(planned(shapes, geometry), {1, 2}, {1, 10}) ==
          std::vector<double>{1, 10, 2, 20});
    SECTION("pads cut, output_padding adds behind")
    {
        LayerShapes longer = shapes;
        geometry.pads = {1, 0};
        geometry.outputPadding = {1};
        CHECK(outputsOf(planned(longer, geometry), {1, 2}, {1, 10}) ==
              std::vector<double>{10, 2, 20, 0});
    }
    SECTION("output_shape decides the pads, the odd one in front")
    {
        LayerShapes shorter = shapes;
        shorter.output = {1, 1, 3};
        geometry.outputShape = {3};
        CHECK(outputsOf(planned(shorter, geometry), {1, 2}, {1, 10}) ==
              std::vector<double>{10, 2, 20});
    }
    SECTION("overlaps add up")
    {
        LayerShapes dense = shapes;
        dense.output = {1, 1, 3};
        geometry.strides = {1};
        CHECK(outputsOf(planned(dense, geometry), {1, 2}, {1, 10}) ==
              std::vector<double>{1, 12, 20});
    }
}

TEST_CASE("a transposed convolution in groups has its outputs in the order of the groups")
{
    const LayerPlan plan = planned(
        {.op = "ConvTranspose", .input = {1, 2, 1}, .weight = {2, 2, 1}, .output = {1, 4, 1}});
    CHECK(plan.groups == 2);
    CHECK(outputsOf(plan, {1, 2}, {1, 10, 100, 1000}) == std::vector<double>{1, 10, 200, 2000});
}

TEST_CASE("a plane's places are counted along its rows")
{
    // 2 x 3 with a kernel of 2 x 2: one row of two.
    const LayerPlan plan = planned(
        {.op = "Conv", .input = {1, 1, 2, 3}, .weight = {1, 1, 2, 2}, .output = {1, 1, 1, 2}});
    CHECK(outputsOf(plan, {1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000}) ==
          std::vector<double>{1 + 20 + 400 + 5000, 2 + 30 + 500 + 6000});
}

TEST_CASE("Gemm takes its weight either way round, inputs of any rank, and alpha")
{
    const std::vector<float> weight{1, 2, 3, 10, 20, 30};  // 2 x 3
    OpGeometry geometry;
    geometry.transB = 1;
    CHECK(outputsOf(planned({.op = "Gemm", .input = {1, 3}, .weight = {2, 3}, .output = {1, 2}},
                            geometry),
                    {1, 1, 2}, weight) == std::vector<double>{9, 90});
    geometry.transB = 0;
    geometry.alpha = 0.5;
    CHECK(outputsOf(planned({.op = "Gemm", .input = {1, 2}, .weight = {2, 3}, .output = {1, 3}},
                            geometry),
                    {1, 2}, weight) == std::vector<double>{10.5, 21, 31.5});
    geometry = {};
    geometry.transB = 1;
    CHECK(
        outputsOf(planned({.op = "Gemm", .input = {1, 2, 3}, .weight = {2, 3}, .output = {1, 2, 2}},
                          geometry),
                  {1, 0, 0, 0, 1, 0}, weight) == std::vector<double>{1, 10, 2, 20});
}

TEST_CASE("MatMul of rows, of a vector, of stacks, and of a weight in front")
{
    CHECK(outputsOf(
              planned({.op = "MatMul", .input = {1, 2, 2}, .weight = {2, 3}, .output = {1, 2, 3}}),
              oneToFour, {1, 2, 3, 10, 20, 30}) == std::vector<double>{21, 42, 63, 43, 86, 129});
    CHECK(outputsOf(planned({.op = "MatMul", .input = {1, 2}, .weight = {2}, .output = {1}}),
                    {3, 4}, {1, 10}) == std::vector<double>{43});
    // Two matrices of 1 x 2, each with a weight of its own.
    CHECK(outputsOf(planned({.op = "MatMul",
                             .input = {1, 2, 1, 2},
                             .weight = {2, 2, 1},
                             .output = {1, 2, 1, 1}}),
                    oneToFour, {1, 10, 100, 1000}) == std::vector<double>{21, 4300});
    // A weight of 1 x 2 times 2 x 2.
    CHECK(outputsOf(planned({.op = "MatMul",
                             .input = {1, 2, 2},
                             .weight = {1, 2},
                             .output = {1, 1, 2},
                             .isWeightFirst = true}),
                    oneToFour, {1, 10}) == std::vector<double>{31, 42});
}

TEST_CASE("stacks of one matrix are used for all")
{
    const LayerShapes shapes{.op = "MatMul",
                             .input = {3, 2, 1, 2},
                             .weight = {3, 1, 2, 1},
                             .output = {3, 2, 1, 1},
                             .isWeightPerSample = true};
    const LayerPlan plan = planned(shapes);
    CHECK(plan.matrices == 1);
    CHECK(outputsOf(plan, oneToFour, {1, 10}) == std::vector<double>{21, 43});
}

TEST_CASE("shapes and attributes that contradict each other are told")
{
    CHECK(whyNot(line(4, 2, 5)) ==
          "its attributes give 3 outputs along axis 2, and 5 were recorded");
    CHECK(whyNot({.op = "Conv", .input = {2, 1, 4}, .weight = {1, 1, 2}, .output = {3, 1, 3}}) ==
          "its input has 2 samples, its output 3");
    CHECK(whyNot({.op = "Conv", .input = {1, 3, 4}, .weight = {1, 2, 2}, .output = {1, 1, 3}}) ==
          "its input's 3 channels are not a multiple of the 2 of its weight");
    CHECK(whyNot({.op = "Gemm", .input = {1, 3}, .weight = {2, 3}, .output = {1, 2}}) ==
          "1 x 3 and 2 x 3 don't give 1 x 2 with transB 0");
    CHECK(whyNot({.op = "LSTM", .input = {1, 3}, .weight = {2, 3}, .output = {1, 2}}) ==
          "its op LSTM is not a product of its operands");
    CHECK(whyNot({.op = "Conv", .input = {1, 0, 4}, .weight = {1, 1, 2}, .output = {1, 1, 3}}) ==
          "its input has no values");
    CHECK_FALSE(whyNot({.op = "MatMul", .input = {}, .weight = {2}, .output = {1}}).empty());
    CHECK_FALSE(
        whyNot({.op = "MatMul", .input = {2, 3}, .weight = {4, 5}, .output = {2, 5}}).empty());
    CHECK_FALSE(
        whyNot({.op = "Conv", .input = {1, 1}, .weight = {1, 1}, .output = {1, 1}}).empty());
    OpGeometry geometry;
    geometry.group = 2;
    CHECK(whyNot(line(4, 2, 3), geometry) == "its group is 2, by its shapes 1");
    geometry = {};
    geometry.kernelShape = {3};
    CHECK(whyNot(line(4, 2, 3), geometry) == "its kernel_shape is not its weight's");
    geometry = {};
    geometry.autoPad = "SOME";
    CHECK(whyNot(line(4, 2, 3), geometry) == "its auto_pad is SOME, which ONNX does not have");
    geometry = {};
    geometry.transA = 1;
    CHECK(whyNot({.op = "Gemm", .input = {3, 3}, .weight = {3, 3}, .output = {3, 3}}, geometry) ==
          "its transA is 1: it adds over its samples");
}

TEST_CASE("attributes that no layer has are refused, not computed with")
{
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    for (const std::string op : {"Conv", "ConvTranspose"})
        for (const std::int64_t bad :
             {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40, lowest, highest}) {
            INFO(op << " " << bad);
            OpGeometry geometry;
            geometry.strides = {bad};
            CHECK_FALSE(whyNot(line(4, 2, 3, op), geometry).empty());
            geometry = {};
            geometry.dilations = {bad};
            CHECK_FALSE(whyNot(line(4, 2, 3, op), geometry).empty());
            geometry = {};
            geometry.pads = {bad, 1};
            CHECK_FALSE(whyNot(line(4, 2, 3, op), geometry).empty());
            geometry = {};
            geometry.group = bad;
            CHECK_FALSE(whyNot(line(4, 2, 3, op), geometry).empty());
            geometry = {};
            geometry.outputShape = {bad};
            CHECK_FALSE(whyNot(line(4, 2, 9, "ConvTranspose"), geometry).empty());
            geometry = {};
            geometry.strides = {1, 1, 1};
            CHECK_FALSE(whyNot(line(4, 2, 3, op), geometry).empty());
        }
    const std::uint64_t huge = std::uint64_t{1} << 62U;
    CHECK(whyNot(line(huge, 2, huge - 1)).find("is too large") != std::string::npos);
    CHECK(whyNot({.op = "MatMul", .input = {huge, huge}, .weight = {huge, 4}, .output = {huge, 4}})
              .find("is too large") != std::string::npos);
    OpGeometry geometry;
    geometry.alpha = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(
        whyNot({.op = "Gemm", .input = {1, 3}, .weight = {3, 2}, .output = {1, 2}}, geometry)
            .empty());
}

}  // namespace layer_plan_test
