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
