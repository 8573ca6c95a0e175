// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/operand_search.h"

#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace operand_search_test {

using namespace calibscope;
using namespace calibscope::layers;
using nlohmann::json;
using test::Approx;

const std::string golden = std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/golden/";

/// Rows of an input, and a weight [M, K] that they meet.
struct Product
{
    LayerPlan plan;
    std::vector<float> input;
    std::vector<float> weight;
    InputSums sums;

    Product(std::vector<float> rows, std::vector<float> matrix, std::size_t depth)
        : input(std::move(rows)), weight(std::move(matrix))
    {
        OpGeometry geometry;
        geometry.transB = true;
        const std::uint64_t count = input.size() / depth;
        const std::uint64_t outputs = weight.size() / depth;
        plan = planLayer({.op = "Gemm",
                          .input = {count, depth},
                          .weight = {outputs, depth},
                          .output = {count, outputs}},
                         geometry)
                   .plan;
        LayerPass pass(plan, {.input = {std::nullopt}, .weight = {std::nullopt}},
                       {.positions = planPositions(plan.samples, 1, 0, 1),
                        .hasOutput = false,
                        .gramsOf = [](std::uint64_t) { return true; }});
        pass.setWeight(weight);
        for (std::size_t row = 0; row < plan.samples; ++row)
            pass.add(std::span(input).subspan(row * depth, depth), {}, {});
        pass.finish();
        sums = {.grams = pass.grams(), .magnitudes = pass.magnitudes(), .signal = pass.signal()};
    }

    [[nodiscard]] WeightTrials trials() const { return {plan, sums, weight}; }
};

/// The operands that other tools were run on.
Product recorded(const std::string& input)
{
    if (input == "format_operands") {
        const auto dump = DumpFile::open(golden + "format_operands.h5");
        return {readAll(dump->source(dump->indexOf("/activations/layer.input"))),
                readAll(dump->source(dump->indexOf("/weights/layer.weight"))), 128};
    }
    const auto dump = DumpFile::open(golden + "format_conv2d_415.h5");
    return {readAll(dump->source(dump->indexOf("/activations/p2o.Mul.111"))),
            readAll(dump->source(dump->indexOf("/weights/conv2d_415.w_0"))), 192};
}

/// Differences of a curve from another tool's, the largest relative one.
double largestDifference(const std::vector<OperandTrial>& trials, const std::vector<double>& theirs)
{
    REQUIRE(trials.size() >= theirs.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < theirs.size(); ++i)
        largest = std::max(largest, std::abs(trials[i].outputMse / theirs[i] - 1.0));
    return largest;
}

std::map<std::string, int> countsOf(const std::vector<double>& shares)
{
    std::map<std::string, int> counts;
    for (const double share : shares) {
        const int hundredths = static_cast<int>(std::lround(100.0 * share));
        const std::string text = std::to_string(hundredths);
        ++counts[hundredths == 100 ? "1.00" : "0." + text];
    }
    return counts;
}

}  // namespace operand_search_test

namespace operand_search_test {

TEST_CASE("An error of a weight is the error of the output, row by row")
{
    // X = [1 2; 3 -1], W = [0.6 2.4]: int8 with scale 2.4 / 1 at two levels is worked out by hand.
    const Product product({1.0F, 2.0F, 3.0F, -1.0F}, {0.6F, 2.4F}, 2);
    // int2: -2 to 1, scale 2.4 / 1: 0.6 becomes 0 and 2.4 itself. d = (-0.6, 0); the outputs' errors
    // are -0.6 and -1.8: mean square 1.8. Outputs 5.4 and -0.6: 29.52 over 3.6.
    const OperandTrial trial = product.trials().under(parseBlockFormat("int2-row"));
    CHECK(trial.outputMse == Approx(1.8).epsilon(1e-6));
    CHECK(*trial.outputSqnrDb == Approx(10.0 * std::log10(29.52 / 3.6)).epsilon(1e-6));
    CHECK(trial.effectiveBits == 2.0 + 16.0);
    // All of the error is the first channel's.
    const std::vector<double> shares = product.trials().errorShares(parseBlockFormat("int2-row"));
    CHECK(shares == std::vector<double>{1.0, 0.0});
    CHECK(product.sums.magnitudes.largest == std::vector<double>{3.0, 2.0});
    CHECK(product.sums.magnitudes.mean == std::vector<double>{2.0, 1.5});
}

TEST_CASE("Factors of SmoothQuant, by hand and of dead channels")
{
    const std::vector<double> inputs{4.0, 0.0, 9.0, 1e-30};
    const std::vector<double> weights{1.0, 5.0, 0.0, 1.0};
    CHECK(smoothFactors(inputs, weights, 0.5) ==
          std::vector<float>{2.0F, 1.0F, 3.0F / std::sqrt(1e-5F), 1e-5F});
    CHECK(smoothFactors(inputs, weights, 0.0)[0] == 1.0F);
    CHECK(smoothFactors(inputs, weights, 1.0)[0] == 4.0F);
}

TEST_CASE("Rotated groups of channels have the errors that NumPy computes with the matrix itself")
{
    const Product product = recorded("format_operands");
    const BlockFormat format = parseBlockFormat("int4-row");
    const std::vector<OperandTrial> trials = product.trials().rotated(format);
    REQUIRE(trials.size() == 7);  // 2 to 128 of 128 channels
    const auto mse = [&](std::size_t index) { return trials[index].outputMse; };
    // np.kron(np.eye(128 // n), H / sqrt(n)), float32 of W R, the errors in float64. A rotated value is
    // rounded to float32 from another sum: one in thousands may go to the other integer.
    CHECK(product.trials().under(format).outputMse == Approx(0.6823643978220124).epsilon(1e-6));
    CHECK(mse(0) == Approx(0.8377265638557417).epsilon(1e-3));
    CHECK(mse(2) == Approx(0.6084994586467056).epsilon(1e-3));
    CHECK(mse(4) == Approx(0.5694576541613244).epsilon(1e-3));
    CHECK(mse(6) == Approx(0.6068300424326388).epsilon(1e-3));
    CHECK(trials[4].setting == 32.0);
}

TEST_CASE("A rotation of what is exact in the format leaves no error")
{
    // Of 1 and 1 it makes sqrt(2) and 0.
    const Product product({1.0F, 2.0F, 3.0F, -1.0F}, {1.0F, 1.0F, 0.5F, 0.5F}, 2);
    const std::vector<OperandTrial> trials = product.trials().rotated(parseBlockFormat("int4-row"));
    REQUIRE(trials.size() == 1);
    CHECK(trials[0].outputMse < 1e-12);
    CHECK_THROWS_WITH(
        product.trials().rotated(parseBlockFormat("int4-row:search=shrink,importance=input")),
        test::containsText("no importance here"));
}

TEST_CASE("A weight or an input of zeros has trials without NaN")
{
    for (const bool isWeight : {false, true}) {
        Product product({1.0F, 2.0F, 0.5F, 3.0F, -1.0F, 0.25F},
                        {0.6F, 2.4F, -1.0F, 0.5F, 0.125F, 2.0F}, 3);
        product = isWeight ? Product(product.input, std::vector<float>(6, 0.0F), 3)
                           : Product(std::vector<float>(6, 0.0F), product.weight, 3);
        const BlockFormat format = parseBlockFormat("int4-g2");
        std::vector<OperandTrial> all = product.trials().awq(format, AwqRule::Duo);
        std::ranges::move(product.trials().clipped(format), std::back_inserter(all));
        for (const OperandTrial& trial : all) {
            CHECK(trial.outputMse == 0.0);
            CHECK(std::ranges::all_of(trial.factors,
                                      [](float factor) { return std::isnormal(factor); }));
        }
    }
}

TEST_CASE("Importance counts errors by the inputs as the factors leave them")
{
    const Product product = recorded("format_operands");
    const auto mseOf = [&](const char* format, const std::vector<float>& factors = {}) {
        return product.trials().under(parseBlockFormat(format), factors).outputMse;
    };
    const double plain = mseOf("int4-g32:search=shrink,norm=2");
    CHECK(mseOf("int4-g32:search=shrink,norm=2,importance=input") < plain);
    // What the output has is what d H d counts; other blocks' errors add their part.
    CHECK(mseOf("int4-g32:search=shrink,norm=2,importance=hessian") < plain);
    // A factor of 2 for all channels alike changes nothing.
    const std::vector<float> twos(128, 2.0F);
    CHECK(mseOf("int4-g32:search=shrink,norm=2,importance=hessian", twos) ==
          Approx(mseOf("int4-g32:search=shrink,norm=2,importance=hessian")).epsilon(1e-12));
}

TEST_CASE("Blocks of one sign far from 0 are clipped as AutoAWQ does")
{
    // Ends at half of 6 make all of the block 3: errors 2 and 3, one input each.
    const Product product({1.0F, 0.0F, 0.0F, 1.0F}, {5.0F, 6.0F}, 2);
    const std::vector<OperandTrial> trials =
        product.trials().clipped(parseBlockFormat("uint4-row:zero-in-range=no"));
    CHECK(trials[10].outputMse == Approx((4.0 + 9.0) / 2.0).epsilon(1e-5));
    CHECK(trials.back().outputMse < trials[10].outputMse);
}

TEST_CASE("Clipping takes rows and groups alone, and each block its best share")
{
    const Product product = recorded("format_operands");
    CHECK_THROWS_AS(product.trials().clipped(parseBlockFormat("fp8-e4m3")), Error);
    const std::vector<OperandTrial> trials = product.trials().clipped(parseBlockFormat("int4-g32"));
    // Each at its best is not worse than all at any one, but for what blocks do to each other.
    const double own = trials.back().outputMse;
    CHECK(own < trials.front().outputMse);
    std::uint64_t blocks = 0;
    for (const OperandTrial& trial : trials)
        blocks += trial.blocks.value_or(0);
    CHECK(blocks == 64 * 4);
    // Without a share below 1 it is the format itself.
    CHECK(trials.front().outputMse ==
          Approx(product.trials().under(parseBlockFormat("int4-g32")).outputMse).epsilon(1e-12));
}

/// Whether a curve is another tool's. Factors are float32 from means whose sums are in another order,
/// so that here and there one value of a weight rounds the other way.
bool isCurve(const Product& product, const json& entry, const BlockFormat& format)
{
    const json& result = entry["result"];
    const bool isLite = entry["tool"] == "modelopt";
    const bool isDuo = !isLite && entry["options"]["duo_scaling"].get<bool>();
    const std::vector<OperandTrial> trials = product.trials().awq(
        format, isLite ? AwqRule::ModelOpt : (isDuo ? AwqRule::Duo : AwqRule::Input));
    const auto theirs = result["output_mse_by_alpha"].get<std::vector<double>>();
    const auto best = std::ranges::min_element(trials, {}, &OperandTrial::outputMse);
    return largestDifference(trials, theirs) < 1e-3 &&
           std::abs(*best->setting - result["best_alpha"].get<double>()) < 1e-9;
}

/// Whether each block's share is another tool's. AutoAWQ ends at 0.55; ModelOpt takes 64 rows.
bool areShares(const Product& product, const json& entry, const BlockFormat& format)
{
    const bool isAuto = entry["tool"] == "autoawq";
    const json& result = entry["result"];
    const std::vector<double> shares =
        product.trials().clipShares(format, isAuto ? mostClipShares - 1 : mostClipShares);
    const auto first = result["ratios_first"].get<std::vector<double>>();
    return countsOf(shares) == result["ratio_counts"] &&
           std::ranges::equal(
               std::span(shares).first(first.size()), first,
               [](double one, double other) { return std::abs(one - other) < 1e-6; });
}

Product everyNth(const Product& product, std::size_t step)
{
    const std::size_t depth = product.plan.depth();
    std::vector<float> rows;
    for (std::size_t row = 0; row < product.plan.samples; row += step)
        rows.insert(rows.end(), product.input.begin() + static_cast<std::ptrdiff_t>(row * depth),
                    product.input.begin() + static_cast<std::ptrdiff_t>((row + 1) * depth));
    return {std::move(rows), product.weight, depth};
}

TEST_CASE("AWQ and its clip as other tools have them")
{
    std::ifstream file(golden + "operands.json");
    const json all = json::parse(file);
    for (const json& entry : all["results"]) {
        const json& result = entry["result"];
        const bool hasCurve = result.contains("output_mse_by_alpha");
        if (!hasCurve && !result.contains("ratio_counts"))
            continue;
        const bool isLite = entry["tool"] == "modelopt";
        INFO(entry["tool"] << " " << entry["function"] << " " << entry["options"].dump() << " "
                           << entry["input"]);
        const Product product = recorded(entry["input"]);
        const BlockFormat format = parseBlockFormat(entry["options"]["format"].get<std::string>() +
                                                    (isLite ? "" : ":zero-in-range=no"));
        const std::size_t step = isLite ? std::max<std::size_t>(product.plan.samples / 64, 1) : 1;
        if (hasCurve)
            CHECK(isCurve(product, entry, format));
        else
            CHECK(areShares(everyNth(product, step), entry, format));
    }
}

TEST_CASE("SmoothQuant's curve as ModelOpt and the definition have it")
{
    const auto dump = DumpFile::open(golden + "format_operands.h5");
    const std::vector<OperandTrials> layers =
        operandTrials(*dump, {.analysis = OperandAnalysis::Smooth, .layers = {.positions = 0}});
    REQUIRE(layers.size() == 1);
    REQUIRE(layers.front().whyNot.empty());
    const std::vector<OperandTrial>& trials = layers.front().trials;
    REQUIRE(trials.size() == 22);
    std::ifstream file(golden + "operands.json");
    const json all = json::parse(file);
    int compared = 0;
    for (const json& entry : all["results"]) {
        if (entry["input"] != "format_operands")
            continue;
        const json& result = entry["result"];
        INFO(entry["tool"] << " " << entry["options"].dump());
        if (result.contains("output_sqnr_db_by_alpha")) {
            const auto theirs = result["output_sqnr_db_by_alpha"].get<std::vector<double>>();
            for (std::size_t i = 0; i < theirs.size(); ++i)
                CHECK(*trials[1 + i].outputSqnrDb == Approx(theirs[i]).margin(1e-3));
            CHECK(trials[14].isBest);  // alpha 0.65
            ++compared;
        } else if (result.contains("output_sqnr_db")) {
            const double alpha = entry["options"]["alpha"];
            const auto at = static_cast<std::size_t>(std::lround(1.0 + 20.0 * alpha));
            CHECK(*trials[at].outputSqnrDb ==
                  Approx(result["output_sqnr_db"].get<double>()).margin(1e-3));
            ++compared;
        }
    }
    CHECK(compared == 6);
}

}  // namespace operand_search_test
