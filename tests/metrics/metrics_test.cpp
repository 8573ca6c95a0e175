// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/metric.h"
#include "core/stats/extents.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace metrics_test {

using namespace calibscope;
using calibscope::test::Approx;

constexpr double inf = std::numeric_limits<double>::infinity();

std::map<std::string, double> evaluated(const Scheme& scheme, const ClipChoice& choice,
                                        const std::vector<float>& values)
{
    Extents extents;
    extents.add(values);
    ErrorTally tally(makeQuantizer(scheme, choice).quantizer, extents.absMax());
    tally.add(values);
    std::map<std::string, double> all;
    for (const Metric& metric : metrics())
        if (const std::optional<double> value = metric.evaluate(tally))
            all.emplace(metric.id, *value);
    return all;
}

TEST_CASE("metrics of a few values are those worked out by hand")
{
    // Scale 1, clip range [-127, 127]: 0.5 becomes 0, 130 becomes 127, 3 and -4 stay.
    auto all = evaluated({}, {.threshold = 127.0}, {0.5F, 130.0F, 3.0F, -4.0F});
    CHECK(all["mse"] == (0.25 + 9.0) / 4);
    CHECK(all["mse_rounding"] == 0.25 / 4);
    CHECK(all["mse_clipping"] == 9.0 / 4);
    CHECK(all["clipped_share"] == 0.25);
    CHECK(all["max_error"] == 3.0);
    CHECK(all["levels_used"] == 4.0);
    const double squares = 0.25 + 16900.0 + 9.0 + 16.0;
    CHECK(all["sqnr_db"] == Approx(10 * std::log10(squares / 9.25)));
    CHECK(all["cosine"] ==
          Approx((16510.0 + 9.0 + 16.0) / std::sqrt(squares * (16129.0 + 9.0 + 16.0))));
}

TEST_CASE("values on the lattice lose nothing")
{
    auto all = evaluated({}, {.threshold = 127.0}, {0.0F, 127.0F, -3.0F, -3.0F});
    CHECK(all["sqnr_db"] == inf);
    CHECK(all["mse"] == 0.0);
    CHECK(all["max_error"] == 0.0);
    CHECK(all["cosine"] == Approx(1.0).epsilon(1e-15));
    CHECK(all["levels_used"] == 3.0);
}

TEST_CASE("no finite value gives no metric at all")
{
    CHECK(evaluated({}, {}, {}).empty());
    CHECK(evaluated({}, {}, {std::nanf(""), std::numeric_limits<float>::infinity()}).empty());
}

TEST_CASE("all zeros are kept: no error, a cosine of 1, no divergence")
{
    auto all = evaluated({}, {.threshold = 0.0}, {0.0F, 0.0F});
    CHECK(all["sqnr_db"] == inf);
    CHECK(all["mse"] == 0.0);
    CHECK(all["cosine"] == 1.0);
    CHECK(all["kl"] == 0.0);
    CHECK(all["levels_used"] == 1.0);
}

TEST_CASE("values that all become 0 have a cosine of 0 and an SQNR of 0 dB")
{
    auto all = evaluated({}, {.threshold = 127.0}, {0.25F, -0.5F});
    CHECK(all["cosine"] == 0.0);
    CHECK(all["sqnr_db"] == Approx(0.0).margin(1e-12));
}

TEST_CASE("zeros off the lattice of a real zero point have an SQNR of -inf")
{
    auto all =
        evaluated({.kind = SchemeKind::AffineReal}, {.range = Range{-0.3, 254.7}}, {0.0F, 0.0F});
    CHECK(all["sqnr_db"] == -inf);
    CHECK(all["cosine"] == 0.0);
    CHECK(all["max_error"] == Approx(0.3));
}

TEST_CASE("subnormal and extreme values have finite metrics")
{
    for (const float value : {1e-45F, 3e-40F, 3.4e38F}) {
        auto all = evaluated({}, {.threshold = 0.7 * static_cast<double>(value)},
                             {value, -value, value / 2.0F});
        for (const auto& [id, number] : all) {
            INFO(id << " of " << value);
            CHECK(std::isfinite(number));
        }
        CHECK(all["cosine"] <= 1.0);
        CHECK(all["cosine"] > 0.9);
    }
}

TEST_CASE("scaling data and threshold by a power of two leaves the relative metrics")
{
    const std::vector<float> values{0.1F, -0.7F, 0.33F, 0.9F, -0.05F};
    std::vector<float> scaled;
    for (const float value : values)
        scaled.push_back(value * 64.0F);
    auto one = evaluated({}, {.threshold = 0.8}, values);
    auto other = evaluated({}, {.threshold = 0.8 * 64}, scaled);
    for (const char* id : {"sqnr_db", "cosine", "kl", "clipped_share", "levels_used"})
        CHECK(other[id] == Approx(one[id]).epsilon(1e-12));
    CHECK(other["mse"] == Approx(one["mse"] * 64 * 64).epsilon(1e-12));
}

TEST_CASE("a finer quantizer is nearer to the recorded distribution")
{
    std::vector<float> values;
    for (int step = 0; step < 5000; ++step)
        values.push_back(static_cast<float>(std::sin(0.1 * step)));
    const auto at = [&](int bits) { return evaluated({.bits = bits}, {.threshold = 1.0}, values); };
    CHECK(at(8)["kl"] < at(4)["kl"]);
    CHECK(at(8)["sqnr_db"] > at(4)["sqnr_db"]);
}

TEST_CASE("every metric has bounds where it is estimated")
{
    for (const Metric& metric : metrics()) {
        INFO(metric.id);
        CHECK(metric.bound != nullptr);
    }
}

}  // namespace metrics_test
