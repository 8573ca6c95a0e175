// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/agreement.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace agreement_test {

using namespace calibscope;
using namespace calibscope::deploy;
using namespace calibscope::test;

constexpr double infinite = std::numeric_limits<double>::infinity();
const float notANumber = std::nanf("");

// Four samples of three values. Their sums are exact in double; decibels and the cosine are
// NumPy's: 10 * numpy.log10((r * r).sum() / ((q - r) ** 2).sum()), NumPy 1.24.
const std::vector<std::vector<float>> references{
    {1.0F, 2.0F, 3.0F}, {4.0F, -5.0F, 6.0F}, {0.0F, 0.0F, 0.0F}, {0.5F, 0.25F, -0.125F}};
const std::vector<std::vector<float>> others{
    {1.5F, 2.0F, 2.5F}, {4.0F, -5.0F, 6.25F}, {0.0F, 0.0F, 0.0F}, {0.5F, 0.5F, -0.125F}};

std::vector<SampleSums> fourSamples()
{
    std::vector<SampleSums> samples;
    for (std::size_t index = 0; index < references.size(); ++index)
        samples.push_back(sampleSums(references[index], others[index]));
    return samples;
}

TensorCheck activation(std::optional<double> layer, std::optional<double> running)
{
    return {.name = "t", .op = "Conv", .outputSqnrDb = layer, .runningDb = running};
}

OutputCheck outputOf(std::optional<double> written, std::optional<double> fused)
{
    OutputCheck output{.name = "y", .op = "Softmax"};
    output.asWritten.sqnrDb = written;
    output.asFused.sqnrDb = fused;
    return output;
}

TEST_CASE("sums of a sample are exact where its values are short")
{
    CHECK(sampleSums(references[0], others[0]) == SampleSums{.count = 3,
                                                             .reference = 14.0,
                                                             .other = 12.5,
                                                             .product = 13.0,
                                                             .noise = 0.5,
                                                             .absNoise = 1.0,
                                                             .maxNoise = 0.5});
    CHECK(sampleSums({}, {}) == SampleSums{});
}

TEST_CASE("agreement over samples is NumPy's")
{
    const Agreement agreement = agreementOf(fourSamples());
    CHECK(agreement.samples == 4);
    CHECK(agreement.sqnrDb.value() == Approx(21.647245241698965).epsilon(1e-14));
    CHECK(agreement.leastDb.value() == Approx(7.201593034059569).epsilon(1e-14));
    // Between the second and the third: 14.4716, 30.9061; the largest is that of equal zeros.
    CHECK(agreement.medianDb.value() ==
          Approx((14.471580313422193 + 30.90610707828407) / 2).epsilon(1e-14));
    CHECK(agreement.largestDb == infinite);
    CHECK(agreement.maxError == 0.5);
    CHECK(agreement.meanError == 0.125);
    CHECK(agreement.cosine == Approx(0.9966556236193612).epsilon(1e-14));
    CHECK_FALSE(agreement.sameArgmax);
}

TEST_CASE("pooled, median and least SQNR of two samples by hand")
{
    // 25 over 1/4, and 4 over 1/4: 20 dB and 10 log10 of 16; together 29 over 1/2.
    const std::vector<SampleSums> samples{
        sampleSums(std::vector{3.0F, 4.0F}, std::vector{3.5F, 4.0F}),
        sampleSums(std::vector{2.0F, 0.0F}, std::vector{2.0F, -0.5F})};
    const Agreement agreement = agreementOf(samples);
    CHECK(agreement.sqnrDb.value() == Approx(17.634279935629373).epsilon(1e-14));
    CHECK(agreement.medianDb.value() == Approx((20.0 + 12.041199826559248) / 2).epsilon(1e-14));
    CHECK(agreement.leastDb.value() == Approx(12.041199826559248).epsilon(1e-14));
}

TEST_CASE("draws have the mean of their noise, their ends and their standard deviation")
{
    const auto draws = [](const std::vector<std::optional<double>>& ratios) {
        std::vector<DrawCheck> all;
        for (const std::optional<double>& ratio : ratios)
            all.push_back({.draw = all.size() + 1, .agreement = {.sqnrDb = ratio}});
        return drawSummaryOf(all);
    };
    // Noise of 1/100 and of 1/1000 of the signal: 11/2000 in the mean; 5 dB to either side of 25.
    const DrawSummary two = draws({20.0, 30.0}).value();
    CHECK(two.draws == 2);
    CHECK(two.meanDb == Approx(22.596373105057561).epsilon(1e-14));
    CHECK(two.lowestDb == 20.0);
    CHECK(two.highestDb == 30.0);
    CHECK(two.sdDb.value() == Approx(7.0710678118654755).epsilon(1e-14));
    CHECK(draws({31.0, 31.0, 31.0}).value().sdDb == 0.0);

    const DrawSummary one = draws({20.0, std::nullopt}).value();
    CHECK(one.draws == 1);
    CHECK(one.meanDb == Approx(20.0));
    CHECK_FALSE(one.sdDb);
    const DrawSummary noNoise = draws({infinite, 30.0}).value();
    CHECK(noNoise.meanDb == Approx(33.010299956639813).epsilon(1e-14));
    CHECK(noNoise.highestDb == infinite);
    CHECK_FALSE(noNoise.sdDb);
    CHECK(draws({infinite, infinite}).value().meanDb == infinite);
    CHECK(draws({-infinite, 30.0}).value().meanDb == -infinite);
    CHECK_FALSE(draws({}));
    CHECK_FALSE(draws({std::nullopt}));
}

TEST_CASE("agreement of equal tensors, of zeros with noise, of nothing")
{
    const std::vector<float> ones{1.0F, 1.0F};
    const std::vector<float> zeros{0.0F, 0.0F};
    const Agreement equal = agreementOf(std::vector{sampleSums(ones, ones)});
    CHECK(equal.sqnrDb == infinite);
    CHECK(equal.cosine == 1.0);
    const Agreement noise = agreementOf(std::vector{sampleSums(zeros, ones)});
    CHECK(noise.sqnrDb == -infinite);
    CHECK(noise.cosine == 0.0);
    CHECK(agreementOf(std::vector{sampleSums(zeros, zeros)}).sqnrDb == infinite);
    const Agreement none = agreementOf({});
    CHECK(none.samples == 0);
    CHECK_FALSE(none.sqnrDb);
}

TEST_CASE("values that are not finite in one only are counted and leave no SQNR")
{
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> reference{1.0F, notANumber, inf, 2.0F, -inf};
    CHECK(sampleSums(reference, std::vector{1.0F, notANumber, inf, 2.0F, -inf}).notFinite == 0);
    const SampleSums sums = sampleSums(reference, std::vector{1.0F, 1.0F, -inf, notANumber, -inf});
    CHECK(sums.notFinite == 3);
    CHECK(sums.count == 1);
    const Agreement agreement = agreementOf(std::vector{sums});
    CHECK_FALSE(agreement.sqnrDb);
    CHECK_FALSE(agreement.leastDb);
    CHECK(agreement.notFinite == 3);
    CHECK(agreement.maxError == 0.0);
}

TEST_CASE("rows with their largest entry at the same place are counted, the first of equal ones")
{
    const std::vector<float> reference{1.0F, 3.0F, 2.0F, 5.0F, 5.0F, 0.0F, 1.0F, 0.0F, 0.0F};
    const std::vector<float> other{0.0F, 9.0F, 2.0F, 4.0F, 5.0F, 0.0F, 2.0F, 0.0F, 0.0F};
    SampleSums sums;
    countSameArgmax(reference, other, 3, {}, sums);
    CHECK(sums.rows == 3);
    CHECK(sums.sameRows == 2);  // in the second row the place is 0 against 1
    SampleSums masked;
    const std::vector<std::uint64_t> mask{1, 2, 7};
    countSameArgmax(reference, other, 3, mask, masked);
    CHECK(masked.rows == 3);
    CHECK(masked.sameRows == 3);
    SampleSums withNan;
    countSameArgmax(reference, std::vector<float>(9, notANumber), 3, {}, withNan);
    CHECK(withNan.rows == 3);
    CHECK(withNan.sameRows == 0);
    const Agreement agreement = agreementOf(std::vector{sums});
    CHECK(agreement.sameArgmax.value() == Approx(2.0 / 3.0));
}

TEST_CASE("a drop is how far a tensor lies below the least layer error of all before it")
{
    const std::vector<TensorCheck> tensors{activation(30.0, 29.0), activation(26.0, 25.0),
                                           activation(40.0, 10.0), activation({}, 30.0)};
    const auto drops = dropsOf(tensors);
    CHECK(drops == std::vector<std::optional<double>>{1.0, 1.0, 16.0, 0.0});
}

TEST_CASE("without layer errors a drop is how far a tensor lies below all before it")
{
    std::vector<TensorCheck> tensors{activation({}, infinite), activation({}, 40.0),
                                     activation({}, 35.0),     activation({}, 36.0),
                                     activation({}, {}),       activation({}, 5.0)};
    tensors[4].isWeight = true;
    const auto drops = dropsOf(tensors);
    CHECK(drops == std::vector<std::optional<double>>{std::nullopt, std::nullopt, 5.0, 0.0,
                                                      std::nullopt, 30.0});
}

TEST_CASE("a model that does not compute what was recorded is told so")
{
    CHECK_FALSE(otherModelSentence("a.onnx", "y", 80.0, false));
    CHECK_FALSE(otherModelSentence("a.onnx", "y", 60.0, true));
    CHECK(otherModelSentence("a.onnx", "y", 79.9, false).value() ==
          "a.onnx: does not compute what was recorded: output \"y\" agrees to 79.9 dB, 80 are "
          "needed; check the model that the dump was recorded from, or record again");
    CHECK_THAT(otherModelSentence("a.onnx", "y", 59.0, true).value(),
               containsText("60 are needed"));
    CHECK(otherModelSentence("a.onnx", "y", std::nullopt, false));
}

TEST_CASE("fusing that costs more than 1 dB is told with its causes")
{
    CHECK_FALSE(fusedSentence(outputOf(20.0, 19.0)));
    CHECK_FALSE(fusedSentence(outputOf(20.0, 25.0)));
    CHECK_FALSE(fusedSentence(outputOf(20.0, std::nullopt)));
    CHECK_FALSE(fusedSentence(outputOf(infinite, infinite)));
    CHECK_THAT(fusedSentence(outputOf(22.7, 4.3)).value(),
               containsText("output \"y\" is 18.4 dB worse as fused (4.3 dB) than as written "
                            "(22.7 dB)") &&
                   containsText("session.x64quantprecision") && containsText("bias"));
}

}  // namespace agreement_test
