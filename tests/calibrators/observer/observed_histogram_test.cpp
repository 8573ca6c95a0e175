// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/observer/observed_histogram.h"
#include "core/calibrators/observer/observed_search.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <limits>
#include <random>

namespace observed_histogram_test {

using namespace calibscope;
using calibscope::test::Approx;

// Golden numbers: HistogramObserver(bins=..., upsample_rate=...) of PyTorch 1.13.0 (Debian), its
// buffers `histogram`, `min_val`, `max_val` after the batches shown.

using Batches = std::vector<std::vector<float>>;

ObservedHistogram observed(const Batches& batches, const ObserverRule& rule)
{
    ObservedHistogram histogram(rule);
    for (const std::vector<float>& batch : batches) {
        const auto [low, high] = std::ranges::minmax(batch);
        histogram.beginBatch({low, high});
        histogram.add(batch);
        histogram.endBatch();
    }
    return histogram;
}

ObservedHistogram observed(const Batches& batches, std::size_t bins, std::size_t upsampling)
{
    return observed(batches, {.bins = bins, .upsampling = upsampling});
}

TEST_CASE("a wider batch stretches the counts so far and relaxes the upper end")
{
    const ObservedHistogram histogram =
        observed({{-1.0F, 0.5F, 0.25F, 3.0F}, {2.0F, 7.5F, -0.5F}}, 8, 4);
    CHECK(histogram.counts() == std::vector<float>{2.25F, 1.75F, 1, 1, 0, 0, 0, 1});
    CHECK(histogram.range().low == -1.0F);
    CHECK(histogram.range().high == 8.0F);
    CHECK(histogram.leftOut() == 0);
    CHECK_FALSE(histogram.hasForgotten());
}

TEST_CASE("a batch inside the range is added as it is")
{
    const ObservedHistogram histogram =
        observed({{-1.0F, 0.5F, 0.25F, 3.0F}, {2.0F, 2.5F, -0.5F}}, 8, 4);
    CHECK(histogram.counts() == std::vector<float>{1, 1, 1, 1, 0, 0, 1, 2});
    CHECK(histogram.range().high == 3.0F);
}

TEST_CASE("ends are cut to whole numbers where they differ then, and values beyond are left out")
{
    CHECK(observed({{0.25F, 0.75F, 0.5F}}, 4, 128).counts() == std::vector<float>{1, 0, 1, 1});
    const ObservedHistogram cut = observed({{0.5F, 0.5F}, {0.5F}, {1.5F, 3.25F, 2.0F}}, 4, 128);
    CHECK(cut.counts() == std::vector<float>{0, 1, 1, 0});
    CHECK(cut.range().low == 1.5F);
    CHECK(cut.leftOut() == 1);
    CHECK(cut.hasForgotten());  // 0.5 alone has no width
}

TEST_CASE("fractions of counts are rounded as the tool rounds them")
{
    std::vector<float> first(40);
    for (std::size_t index = 0; index < first.size(); ++index)
        first[index] = static_cast<float>(0.1 * static_cast<double>(index));
    const ObservedHistogram histogram =
        observed({first, {-2.3F, 0.0F, 1.0F}, {5.0F, 11.9F}}, 16, 128);
    CHECK(histogram.counts() == std::vector<float>{0, 0, 0x1.f0dp+1F, 0x1.e578p+2F, 0x1.c8f8p+2F,
                                                   0x1.d2f8p+2F, 0x1.c63p+2F, 0, 1, 0, 0, 0, 0, 0,
                                                   0, 0});
    CHECK(histogram.range().low == -2.3F);
    CHECK(histogram.range().high == 0x1.7db1dp+3F);
    const ObservedWindow window = searchObserved(histogram.counts(), histogram.range(), 256, 1e-5);
    const SingleRange kept = valuesOf(window, histogram.range(), 16);
    CHECK(kept.low == -0x1.0b02c4p-1F);
    CHECK(kept.high == 0x1.341838p+2F);
    CHECK(window.endsAtIncrease);
}

TEST_CASE("a range too narrow to be cut into parts starts anew")
{
    const ObservedHistogram histogram = observed({{0.0F, 1e-45F}, {-1.0F, 1.0F}}, 8, 128);
    CHECK(histogram.hasForgotten());
    CHECK(histogram.range().high == 1.0F);
    for (const float count : histogram.counts())
        CHECK(std::isfinite(count));
}

TEST_CASE("the error of a window is that of values spread evenly, to the centres of its parts")
{
    // One bin [0, 1) of 6, two parts with centres 0.25 and 0.75: 12 integrals of x^2 over [0, .25].
    CHECK(observedError({6.0F}, {0.0F, 1.0F}, 2, 0, 0) == Approx(6.0 / 48.0));
    // A second bin beyond the window: distance to the centre 0.75 from 1 to 2.
    const double beyond = (1.25 * 1.25 * 1.25 - 0.25 * 0.25 * 0.25) / 3.0;
    CHECK(observedError({6.0F, 2.0F}, {0.0F, 2.0F}, 2, 0, 0) ==
          Approx(6.0 / 48.0 + 2.0 * beyond).epsilon(1e-6));
    CHECK(observedError({6.0F}, {1.0F, 1.0F}, 2, 0, 0) == 0.0F);
}

TEST_CASE("the first move is taken whatever its error, the next that raises it ends the search")
{
    const ObservedWindow window =
        searchObserved({1000.0F, 0.0F, 0.0F, 1000.0F}, {0.0F, 4.0F}, 4, 0.25);
    CHECK(window.first == 0);
    CHECK(window.last == 2);
    CHECK(window.moves == 1);
    CHECK(window.endsAtIncrease);
}

TEST_CASE("fine counts are stretched in the order in which the tool adds their parts")
{
    Batches batches;
    float scale = 10.0F;
    for (int batch = 0; batch < 12; ++batch) {
        std::vector<float> values(8000, 0.0F);
        for (int step = 1; step <= 50; ++step)
            values.push_back(static_cast<float>(step * step) * scale / 2500.0F);
        scale += static_cast<float>(7 * batch + 3);
        batches.push_back(std::move(values));
    }
    const std::vector<float> counts = observed(batches, 64, 128).counts();
    // bins 40 to 53: sums of whole bins differ from torch's in the 7th digit there
    CHECK(std::vector<float>(counts.begin() + 40, counts.begin() + 54) ==
          std::vector<float>{1.54715586F, 1.25280774F, 2.62947464F, 0.677600622F, 0.155131102F,
                             1.86117721F, 0.55159831F, 1.45295691F, 0.955878019F, 1.05254912F,
                             0.360157728F, 1.64432883F, 0.772249937F, 0.233756483F});
}

TEST_CASE("over real ends nothing is left out, and parts go where their middles lie")
{
    // As torchao: four bins of 0 to 2, then of -2 to 2 in parts of 1 / 8: bins of 1 take two each.
    const ObserverRule torchao{.bins = 4, .upsampling = 4, .cutsEnds = false, .keepsParts = false};
    const ObservedHistogram one = observed({{0.0F, 0.6F, 0.7F, 2.0F}}, torchao);
    CHECK(one.counts() == std::vector<float>{1, 2, 0, 1});
    const ObservedHistogram wider = observed({{0.0F, 0.6F, 0.7F, 2.0F}, {-2.0F}}, torchao);
    CHECK(wider.counts() == std::vector<float>{1, 0, 3, 1});
    CHECK(wider.range().low == -2.0F);
    CHECK(wider.range().high == 2.0F);
    CHECK(wider.leftOut() == 0);
    // A wider range whose bins cut parts: bins of 0.75 from 0 to 3, parts of 1 / 8 and a quarter
    // count; six middles lie in the first bin and six in the second.
    CHECK(observed({{0.0F, 0.6F, 0.7F, 2.0F}, {3.0F}}, torchao).counts() ==
          std::vector<float>{2, 1, 1, 1});
}

TEST_CASE("one value alone is later given the next batch's count, as torchao does")
{
    const ObserverRule torchao{.bins = 4, .upsampling = 4, .cutsEnds = false, .keepsParts = false};
    CHECK(observed({{0.5F, 0.5F}, {0.0F, 1.0F, 2.0F}}, torchao).counts() ==
          std::vector<float>{1, 3, 1, 1});
}

}  // namespace observed_histogram_test
