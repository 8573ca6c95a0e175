// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <random>

namespace l2_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::calibrated;
using calibscope::test::calibratedInParts;

constexpr Scheme full{.kind = SchemeKind::SymmetricFull};
constexpr Scheme twoBits{.kind = SchemeKind::SymmetricRestricted, .bits = 2};  // levels -1, 0, 1

using Notes = std::vector<std::string>;

/// The alternation as its definition says it, value by value.
struct Literal
{
    double scale;
    double error = 0.0;
    std::uint64_t iterations = 0;
};

double levelOf(double x, double scale, const Scheme& scheme)
{
    const double z = scheme.rounding == Rounding::HalfAway    ? std::round(x / scale)
                     : scheme.rounding == Rounding::FloorHalf ? std::floor(x / scale + 0.5)
                                                              : std::nearbyint(x / scale);
    return std::clamp<double>(z, scheme.lowLevel(), scheme.highLevel());
}

double literalError(const std::vector<float>& values, double scale, const Scheme& scheme)
{
    double error = 0.0;
    for (const float value : values) {
        const double x = static_cast<double>(value);
        error += 0.5 * std::pow(scale * levelOf(x, scale, scheme) - x, 2);
    }
    return error;
}

Literal literal(const std::vector<float>& values, double start, const Scheme& scheme)
{
    Literal found{.scale = start};
    while (found.iterations < 1000) {
        double xz = 0.0;
        double zz = 0.0;
        for (const float value : values) {
            const double x = static_cast<double>(value);
            const double z = levelOf(x, found.scale, scheme);
            xz += x * z;
            zz += z * z;
        }
        ++found.iterations;
        // The rounding of these sums can make two doubles take turns.
        if (std::abs(xz / zz - found.scale) <= 1e-15 * found.scale)
            break;
        found.scale = xz / zz;
    }
    found.error = literalError(values, found.scale, scheme);
    return found;
}

std::vector<float> drawn(std::size_t count, unsigned seed, float tail)
{
    std::mt19937 engine(seed);
    std::student_t_distribution<float> heavy(tail);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return heavy(engine); });
    return values;
}

float absMaxOf(const std::vector<float>& values)
{
    float most = 0.0F;
    for (const float value : values)
        most = std::max(most, std::abs(value));
    return most;
}

TEST_CASE("l2 by hand: two values that share a level settle at their mean")
{
    // s = 1: z = 1, 1, 0, then s = (1 + 0.625) / 2 = 0.8125, for which they are the same.
    const Calibration calibration = calibrated("l2", {1.0F, 0.625F, -0.25F}, {}, twoBits);
    CHECK(calibration.clip.threshold == 0.8125);
    CHECK(calibration.trace.scale == std::vector<double>{1.0, 0.8125});
    // 1/2 (0.375^2 + 0.25^2), then 1/2 (2 * 0.1875^2 + 0.25^2)
    CHECK(calibration.trace.error == std::vector<double>{0.1015625, 0.06640625});
    CHECK(calibration.trace.iterations == 2);
    CHECK(calibration.trace.hasConverged);
    CHECK(calibration.notes.empty());
}

TEST_CASE("l2 is the literal alternation, for every rounding, width and clip of levels")
{
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::SymmetricFull})
        for (const Rounding rounding :
             {Rounding::HalfEven, Rounding::HalfAway, Rounding::FloorHalf})
            for (const int bits : {2, 4, 8, 12})
                for (const std::size_t count : {3U, 300U, 20000U}) {
                    const Scheme scheme{.kind = kind, .bits = bits, .rounding = rounding};
                    const std::vector<float> values =
                        drawn(count, static_cast<unsigned>(bits) + 7U, 4.0F);
                    INFO(schemeText(kind) << " " << bits << " bits, " << count);
                    const double start = static_cast<double>(absMaxOf(values)) / scheme.qmax();
                    const Literal expected = literal(values, start, scheme);
                    const Calibration calibration =
                        calibrated("l2", values, {{"grid", "0"}}, scheme);
                    // 1e-12: the literal sums lose that many digits.
                    CHECK(calibration.trace.scale.back() == Approx(expected.scale).epsilon(1e-12));
                    CHECK(calibration.trace.error.back() == Approx(expected.error).epsilon(1e-9));
                    // Not every double is some threshold divided by qmax: one unit in the last
                    // place.
                    CHECK(makeQuantizer(scheme, calibration.clip).quantizer.scale ==
                          Approx(calibration.trace.scale.back()).epsilon(2.3e-16));
                }
}

TEST_CASE("the error never rises, and each step of the trace has its own scale's error")
{
    std::vector<float> values = drawn(20000, 3, 1000.0F);
    for (float& value : values)
        value = std::abs(value);
    const Trace trace = calibrated("l2", values, {}, full).trace;
    REQUIRE(trace.scale.size() > 10);
    for (std::size_t step = 0; step < trace.scale.size(); ++step) {
        CHECK(trace.error[step] ==
              Approx(literalError(values, trace.scale[step], full)).epsilon(1e-11));
        if (step > 0)
            CHECK(trace.error[step] <= trace.error[step - 1] * (1.0 + 1e-14));
    }
}

TEST_CASE("sorted, one by one and in passes over a file: the same bits")
{
    const std::vector<float> values = drawn(9000, 11, 5.0F);  // above the limit for sorting 8 bits
    const GivenSettings given{{"grid", "0"}, {"cap", "15"}};
    const Calibration sorted = calibratedInParts("l2", values, 700, given, full);
    const Calibration passes = calibratedInParts("l2", values, 700, given, full, 1000);
    CHECK(sorted.trace.scale == passes.trace.scale);
    CHECK(sorted.clip.threshold == passes.clip.threshold);
    const std::vector<float> few(values.begin(), values.begin() + 3000);
    CHECK(calibrated("l2", few, given, full).trace.scale ==
          calibratedInParts("l2", few, 700, given, full).trace.scale);
}

TEST_CASE("beyond the memory l2 stops after 20 passes, the grid's included, and says so")
{
    const std::vector<float> values = drawn(9000, 11, 5.0F);
    int passes = 0;
    ValueSource source = calibscope::test::sourceInParts(values, 1000);
    source.visit = [&passes, visit = source.visit](const BlockVisitor& visitor,
                                                   const Progress& progress) {
        ++passes;
        visit(visitor, progress);
    };
    const Calibration stopped =
        calibscope::test::calibratedFrom(source, "l2", values, {}, full, 16000);
    CHECK(passes == 20);
    CHECK(std::ranges::count(stopped.notes, "stopped after 20 passes") == 1);
    CHECK(stopped.trace.scale.size() == 19);
    CHECK_FALSE(stopped.trace.hasConverged);
    // The grid is computed part by part and summed: the same least error.
    const Trace whole = calibrated("l2", values, {}, full).trace;
    CHECK(stopped.trace.gridScale == whole.gridScale);
    CHECK(*stopped.trace.gridError == Approx(*whole.gridError).epsilon(1e-12));
}

TEST_CASE("the grid finds the least error among thresholds from 1.1 to 0.01 times the maximum")
{
    const std::vector<float> values = drawn(400, 21, 3.0F);
    const double absMax = static_cast<double>(absMaxOf(values));
    const Calibration calibration = calibrated("l2", values, {{"grid", "50"}}, full);
    double least = std::numeric_limits<double>::infinity();
    double best = 0.0;
    for (int point = 0; point < 50; ++point) {
        const double scale = (1.1 + point * (0.01 - 1.1) / 49) * absMax / 127;
        const double error = literalError(values, scale, full);
        if (error < least) {
            least = error;
            best = scale;
        }
    }
    CHECK(*calibration.trace.gridScale == Approx(best).epsilon(1e-14));
    CHECK(*calibration.trace.gridError == Approx(least).epsilon(1e-10));
    CHECK(*calibration.trace.gridRatio() == calibration.trace.error.back() / least);
    const Curve& curve = calibration.curve;
    CHECK(curve.threshold.size() == 51);  // with the result among them
    CHECK(curve.threshold[curve.chosen] == calibration.clip.threshold);
    CHECK(curve.value[curve.chosen] == calibration.trace.error.back());
}

TEST_CASE("a stall in a local minimum is said, and the start decides where it ends")
{
    std::vector<float> values = drawn(50000, 5, 1000.0F);
    for (float& value : values)
        value = std::abs(value);
    const Calibration fromMax = calibrated("l2", values, {}, full);
    const Calibration fromBelow = calibrated("l2", values, {{"start", "p99.9"}}, full);
    CHECK(fromMax.trace.error.back() > fromBelow.trace.error.back());
    const auto stalls = [](const Calibration& calibration) {
        return std::ranges::any_of(calibration.notes, [](const std::string& note) {
            return note.starts_with("stalled in a local minimum");
        });
    };
    CHECK(stalls(fromMax));
    CHECK(*fromMax.trace.gridRatio() > 1.01);
    CHECK(stalls(fromBelow) == (*fromBelow.trace.gridRatio() > 1.01));
}

TEST_CASE("a start is the maximum, a percentile or a multiple of the maximum")
{
    const std::vector<float> values = drawn(4000, 9, 5.0F);
    const double absMax = static_cast<double>(absMaxOf(values));
    const auto startOf = [&](const char* start) {
        return calibrated("l2", values, {{"start", start}}, full).trace.scale.front();
    };
    CHECK(startOf("max") == absMax / 127);
    CHECK(startOf("0.25") == absMax / 4 / 127);
    CHECK(startOf("p99.9") ==
          *calibrated("percentile", values, {{"alpha", "99.9"}}).clip.threshold / 127);
}

TEST_CASE("odd starts and ends have notes")
{
    std::vector<float> mostlyZero(2000, 0.0F);
    mostlyZero[7] = 0.5F;
    const Calibration zeroPercentile = calibrated("l2", mostlyZero, {{"start", "p99.9"}}, full);
    CHECK(zeroPercentile.clip.threshold == 0.5);
    CHECK(zeroPercentile.notes == Notes{"the percentile to start from is 0, the maximum is taken"});

    const Calibration noLevels =
        calibrated("l2", {0.5F, -0.25F}, {{"start", "1000"}, {"grid", "0"}}, full);
    CHECK(noLevels.notes ==
          Notes{"every value is rounded to 0, the start is kept", "threshold above the maximum"});
    CHECK(*noLevels.clip.threshold == Approx(500.0));

    const Calibration capped =
        calibrated("l2", drawn(4000, 9, 5.0F), {{"cap", "2"}, {"grid", "0"}}, full);
    CHECK(capped.notes == Notes{"stopped after 2 iterations, before the scale converged"});
    CHECK(capped.trace.scale.size() == 3);
}

TEST_CASE("a tolerance ends the iteration earlier")
{
    const std::vector<float> values = drawn(20000, 5, 3.0F);
    const Trace exact = calibrated("l2", values, {}, full).trace;
    const Trace rough = calibrated("l2", values, {{"tolerance", "0.001"}}, full).trace;
    CHECK(rough.hasConverged);
    CHECK(rough.iterations < exact.iterations);
    const std::size_t last = rough.scale.size() - 1;
    CHECK(std::abs(rough.scale[last] - rough.scale[last - 1]) <= 0.001 * rough.scale[last - 1]);
}

TEST_CASE("one-sided data may end above the maximum with the note, constant data end at it without")
{
    const Calibration constant = calibrated("l2", std::vector<float>(100, 0.75F), {}, full);
    CHECK(constant.clip.threshold == 0.75);
    CHECK(constant.notes.empty());
    CHECK(constant.trace.iterations == 1);
    CHECK(constant.trace.error == std::vector<double>{0.0});

    // s = 1/3: z = -3, -2, then s = (3 + 1.5) / (9 + 4), for which they are -3 and -2 again.
    const Scheme threeBits{.kind = SchemeKind::SymmetricFull, .bits = 3};
    const Calibration above = calibrated("l2", {-1.0F, -0.75F}, {{"grid", "0"}}, threeBits);
    CHECK(above.trace.scale == std::vector<double>{1.0 / 3, 4.5 / 13});
    CHECK(*above.clip.threshold == Approx(13.5 / 13).epsilon(1e-15));
    CHECK(above.notes == Notes{"threshold above the maximum"});
}

}  // namespace l2_test
