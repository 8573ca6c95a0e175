#include "core/calibrators/calibrator.h"

#include "tests/support/catch.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

using namespace calibscope;
using calibscope::test::Approx;

// tests/golden/peers_picked.json, made by pick_peers.py beside it.

namespace {

nlohmann::json picked(const char* part)
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/golden/peers_picked.json");
    nlohmann::json list = nlohmann::json::parse(file).at(part);
    REQUIRE_FALSE(list.empty());
    return list;
}

/// A profile that knows nothing but its largest magnitude.
TensorProfile profileOf(double absMax, std::uint64_t count)
{
    TensorProfile profile;
    profile.moments.extents = {.finite = count, .max = absMax};
    return profile;
}

Calibration calibrate(std::string_view id, const TensorProfile& profile, const GivenSettings& given)
{
    const Calibrator& algorithm = calibrator(id);
    const Settings settings(algorithm.parameters, given, id);
    return algorithm.calibrate({.settings = settings, .scheme = {}}, profile);
}

std::string firstBinWord(const std::string& literal)
{
    if (literal == "zero")
        return "discarded";
    return literal == "copy1" ? "copied" : "counted";
}

}  // namespace

TEST_CASE("entropy chooses the bin and has the divergence of the literal form in NumPy")
{
    for (const nlohmann::json& tensor : picked("entropy")) {
        const Histogram histogram{
            .spec = {.growth = "fixed", .bins = 1024, .domain = Domain::Magnitude},
            .low = 0.0,
            .high = tensor.at("high"),
            .counts = tensor.at("counts").get<std::vector<std::uint64_t>>()};
        TensorProfile profile = profileOf(histogram.high, histogram.total());
        profile.histograms.push_back(histogram);
        for (const nlohmann::json& expected : tensor.at("expected")) {
            INFO(tensor.at("input") << " " << expected.dump());
            const Calibration calibration = calibrate(
                "entropy", profile,
                {{"growth", "fixed"},
                 {"first-bin", firstBinWord(expected.at("first_bin"))},
                 {"outliers-in-q", expected.at("outliers_in_q").get<bool>() ? "yes" : "no"}});
            const std::size_t firstCandidate = 127;
            CHECK(calibration.curve.chosen + firstCandidate == expected.at("bin"));
            // The bin's centre; 1e-15 is the rounding of the order of operations.
            CHECK(*calibration.clip.threshold ==
                  Approx(expected.at("threshold").get<double>()).epsilon(1e-15));
            CHECK(calibration.curve.value.at(calibration.curve.chosen) ==
                  Approx(expected.at("kl").get<double>()).epsilon(1e-9).margin(1e-12));
        }
    }
}

TEST_CASE("percentiles are numpy.percentile's to the last bit")
{
    for (const nlohmann::json& tensor : picked("percentile")) {
        INFO(tensor.dump());
        TensorProfile profile = profileOf(tensor.at("absmax"), tensor.at("values"));
        for (const nlohmann::json& order : tensor.at("orders"))
            profile.orders.push_back(
                {.request = {.domain = Domain::Magnitude, .rank = order[0]}, .value = order[1]});
        const Calibration calibration =
            calibrate("percentile", profile, {{"alpha", tensor.at("alpha").dump()}});
        CHECK(*calibration.clip.threshold == tensor.at("amax").get<double>());
    }
}

TEST_CASE("min-max thresholds and scales are those of NumPy")
{
    for (const nlohmann::json& tensor : picked("min_max")) {
        INFO(tensor.dump());
        TensorProfile profile = profileOf(tensor.at("max"), 1000);
        profile.moments.extents.min = tensor.at("min");
        const Calibration calibration = calibrate("min-max", profile, {});
        CHECK(*calibration.clip.threshold == tensor.at("absmax").get<double>());
        const double scale = tensor.at("scale_127");
        CHECK(makeQuantizer({}, calibration.clip).quantizer.scale == (scale > 0.0 ? scale : 1.0));
    }
}
