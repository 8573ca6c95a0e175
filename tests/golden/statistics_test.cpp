// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/report/tables/stats_table.h"
#include "core/stats/percentile.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace golden_statistics_test {

using namespace calibscope;
using calibscope::test::Approx;
using nlohmann::json;

const std::filesystem::path goldenFolder =
    std::filesystem::path(CALIBSCOPE_SOURCE_DIR) / "tests" / "golden";

/// Sums of up to 3 million terms in another order: NumPy adds in pairs, we merge blocks of 4096.
/// Either is off by few units of the last place; 1e-12 is some thousand of them.
constexpr double sumTolerance = 1e-12;

void compareMoments(const Moments& moments, const json& expected)
{
    // The sum of values of both signs may cancel: its error is relative to their magnitude.
    const double magnitude = moments.extents.absMax();
    CHECK(moments.mean ==
          Approx(expected["mean"].get<double>()).epsilon(0).margin(sumTolerance * magnitude));
    CHECK(moments.standardDeviation() ==
          Approx(expected["std"].get<double>()).epsilon(sumTolerance));
    if (expected["kurtosis"].is_null()) {
        CHECK(std::isnan(moments.kurtosis()));
    } else {  // a quotient minus 3: its error is relative to the quotient
        const double kurtosis = expected["kurtosis"].get<double>();
        CHECK(moments.kurtosis() ==
              Approx(kurtosis).epsilon(0).margin(sumTolerance * (kurtosis + 3.0)));
    }
}

std::optional<std::uint64_t> indexOf(const json& number)
{
    return number.is_null() ? std::nullopt : std::optional(number.get<std::uint64_t>());
}

/// Percentiles, exact whatever their order.
void comparePercentiles(TensorProfile& profile, const ValueSource& source, Domain domain,
                        const json& expected)
{
    StatsPercentiles percentiles{.domain = domain, .alphas = {}};
    for (const auto& [alpha, value] : expected.items())
        percentiles.alphas.push_back(std::stod(alpha));
    collectMore(profile, source, {}, statsOrders(profile.extents().finite, percentiles));
    for (const auto& [alpha, value] : expected.items())
        CHECK(percentileOf(profile, domain, std::stod(alpha)) == value.get<double>());
}

void compareTensor(const DumpFile& dump, const std::string& path, const json& expected)
{
    INFO(dump.identity().path << ":" << path);
    const ValueSource source = dump.source(dump.indexOf(path));
    TensorProfile profile = collectProfile(source);
    const Extents& extents = profile.extents();
    CHECK(extents.finite == expected["count"].get<std::uint64_t>());
    CHECK(extents.zeros == expected["zeros"].get<std::uint64_t>());
    CHECK(extents.min == expected["min"].get<double>());
    CHECK(extents.max == expected["max"].get<double>());
    compareMoments(profile.moments, expected);
    CHECK(profile.firstNotFinite.nan == indexOf(expected["first_nan"]));
    CHECK(profile.firstNotFinite.infinite == indexOf(expected["first_inf"]));
    comparePercentiles(profile, source, Domain::Magnitude, expected["percentiles"]);
    comparePercentiles(profile, source, Domain::Signed, expected["signed_percentiles"]);
}

std::filesystem::path expectedOf(const std::filesystem::path& path)
{
    return goldenFolder / ("expected_" + path.stem().string() + ".json");
}

/// Compares every tensor of a dump with expected_NAME.json.
void compareDump(const std::filesystem::path& path)
{
    std::ifstream file(expectedOf(path));
    REQUIRE(file.is_open());
    const json expected = json::parse(file)["tensors"];
    const auto dump = DumpFile::open(path.string());
    CHECK(dump->tensors().size() == expected.size());
    for (const auto& [tensor, numbers] : expected.items())
        compareTensor(*dump, tensor, numbers);
}

TEST_CASE("statistics of the golden tensors are NumPy's, percentiles to the last bit")
{
    std::size_t dumps = 0;
    for (const auto& entry : std::filesystem::directory_iterator(goldenFolder))
        if (entry.path().extension() == ".h5" && exists(expectedOf(entry.path()))) {
            compareDump(entry.path());
            ++dumps;
        }
    CHECK(dumps == 11);
}

TEST_CASE("statistics of the bundled sample are NumPy's, percentiles to the last bit")
{
    compareDump(std::filesystem::path(CALIBSCOPE_SOURCE_DIR) / "resources/sample/sample.h5");
}

// The large dumps are not part of the tree: CALIBSCOPE_DUMPS names a folder that holds them.
TEST_CASE("statistics of the large dumps are NumPy's, where CALIBSCOPE_DUMPS names their folder")
{
    const char* folder = std::getenv("CALIBSCOPE_DUMPS");
    if (folder == nullptr)
        return;
    for (const std::string name : {"ocr_det.h5", "vad.h5"})
        compareDump(std::filesystem::path(folder) / name);
}

}  // namespace golden_statistics_test
