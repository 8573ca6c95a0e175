// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/collect/collect_joined.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/spread/stored_profile.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace unit_sums_test {

using namespace calibscope;

constexpr std::size_t samples = 40;
constexpr std::size_t perSample = 20 * 1100;

/// Values with runs of zeros of many lengths, and some that are not finite.
std::vector<float> valuesWithZeros(std::mt19937& engine)
{
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> values(samples * perSample);
    for (float& value : values)
        value = normal(engine);
    for (int run = 0; run < 300; ++run) {
        const std::size_t first = engine() % values.size();
        const std::size_t count = std::min<std::size_t>(engine() % 700, values.size() - first);
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(first), count, 0.0F);
    }
    // Over the end of a sample, and a whole one.
    std::fill_n(values.begin() + 5 * perSample - 300, 600, 0.0F);
    std::fill_n(values.begin() + 9 * perSample - 3, perSample + 5, 0.0F);
    values[values.size() / 2] = std::nanf("");
    values[values.size() / 3] = -INFINITY;
    return values;
}

std::vector<SampleRange> unitsOf(std::uint64_t count, std::uint64_t perCut, std::mt19937& engine)
{
    std::vector<SampleRange> units;
    for (std::uint64_t first = 0; first < count;) {
        const std::uint64_t end = std::min(first + perCut * (1 + engine() % 4), count);
        units.push_back({.first = first, .end = end});
        first = end;
    }
    std::ranges::shuffle(units, engine);
    return units;
}

CalibratorNeeds someNeeds(std::uint64_t finite)
{
    CalibratorNeeds needs;
    for (const char* growth : {"fixed", "double", "redistribute", "as-needed"})
        needs.histograms.push_back({.growth = growth, .bins = 64, .domain = Domain::Magnitude});
    needs.orders.push_back({.domain = Domain::Signed, .rank = finite / 3});
    return needs;
}

/// Checks that units in random groups make the bytes that one visit makes.
void checkUnits(const DumpFile& dump, const TensorInfo& tensor, std::mt19937& engine,
                int rounds = 4)
{
    const std::string& path = tensor.path;
    INFO(path);
    const std::uint64_t perCut = dump.samplesPerCut(tensor);
    REQUIRE(perCut > 0);
    const ValueSource source = dump.source(tensor);
    const std::uint64_t count = source.info.sampleCount();
    REQUIRE(perCut < count);
    spread::StoredProfile expected;
    spread::append(expected, collectSums(source), 0);
    expected.whole.profile.info = source.info;
    spread::finishMoments(expected.whole);
    const std::string firstPass = bytesOf(expected);
    const CalibratorNeeds needs = someNeeds(expected.whole.profile.extents().finite);
    spread::UnitCounts allCounts(expected.whole.profile, needs);
    countPart(allCounts, source, 0, {});

    for (int round = 0; round < rounds; ++round) {
        std::vector<spread::TensorSums> ranks(1 + engine() % 3, spread::TensorSums({source.info}));
        std::vector<spread::UnitCounts> counts(ranks.size(),
                                               spread::UnitCounts(expected.whole.profile, needs));
        const std::vector<SampleRange> units = unitsOf(count, perCut, engine);
        for (const SampleRange& unit : units) {
            const std::size_t rank = engine() % ranks.size();
            const ValueSource own = dump.source(tensor, 0, unit);
            ranks[rank].add(0, collectUnit(own));
            countPart(counts[rank], own, 0, {});
        }
        spread::TensorSums whole({source.info});
        spread::UnitCounts wholeCounts(expected.whole.profile, needs);
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            whole.addBytes(ranks[rank].bytes(), "a rank");
            wholeCounts.addBytes(counts[rank].bytes(), "a rank");
        }
        const std::vector<std::uint64_t> files{0};
        CHECK(bytesOf(whole.whole(source.info, files, path)) == firstPass);
        CHECK(wholeCounts.bytes() == allCounts.bytes());

        spread::TensorSums missing({source.info});
        for (std::size_t unit = 0; unit + 1 < units.size(); ++unit)
            missing.add(0, collectUnit(dump.source(tensor, 0, units[unit])));
        CHECK_THROWS_AS(missing.whole(source.info, files, path), Error);
        for (int times = 0; times < 2; ++times)
            missing.add(0, collectUnit(dump.source(tensor, 0, units.back())));
        CHECK_THROWS_AS(missing.whole(source.info, files, path), Error);
    }
}

TEST_CASE("units of samples, in any order and groups, make the bytes that one visit makes")
{
    std::mt19937 engine(7);
    test::H5File file;
    const std::vector<float> values = valuesWithZeros(engine);
    const auto describe = [&](const std::string& path, const std::string& layout) {
        file.attribute(path, "layout", layout);
        file.attribute(path, "batch_size", std::int64_t{7});
    };
    const test::Shape shape{samples, 20, 1100};
    file.write("/activations/contiguous", shape, values);
    describe("/activations/contiguous", "NCW");
    file.write("/activations/chunked", shape, values, {.chunk = {3, 20, 300}, .gzip = 1});
    describe("/activations/chunked", "NCW");
    file.write("/activations/half", shape, std::vector<double>(values.begin(), values.end()),
               test::Stored::Float16);
    describe("/activations/half", "NCW");
    file.write("/activations/masked", shape, values);
    describe("/activations/masked", "NCW");
    std::vector<double> flags;
    for (std::size_t position = 0; position < samples * 20; ++position)
        flags.push_back(position % 3 != 1 && position / 20 % 9 != 4 ? 1.0 : 0.0);
    file.write("/activations/masked.mask", {samples, 20}, flags, test::Stored::Uint8);
    const std::shared_ptr<const DumpFile> dump = DumpFile::open(file.path());
    for (const char* path : {"/activations/contiguous", "/activations/chunked", "/activations/half",
                             "/activations/masked"})
        checkUnits(*dump, dump->tensors()[*dump->find(path)], engine);
}

TEST_CASE("units are of samples where these are not the first axis, too")
{
    // Slabs of 16 MiB are moved at once: more than those of an axis in front.
    constexpr std::size_t moved = 420;
    std::mt19937 engine(5);
    test::H5File file;
    std::vector<float> values(10 * moved * 1100);
    for (float& value : values)
        value = static_cast<float>(engine() % 1000) - 400.0F;
    file.write("/activations/moved", {10, moved, 1100}, values);
    const std::shared_ptr<const DumpFile> dump = DumpFile::open(file.path());
    TensorInfo tensor = dump->tensors().front();
    tensor.batchAxis = 1;
    tensor.batchSize = 7;
    tensor.channelAxis = 0;
    checkUnits(*dump, tensor, engine, 1);
}

TEST_CASE("numbered datasets are cut where each begins")
{
    std::mt19937 engine(3);
    test::H5File file;
    const std::vector<float> values = valuesWithZeros(engine);
    for (std::size_t part = 0; part < 10; ++part) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(part * 4 * perSample);
        file.write("/activations/conv/" + std::to_string(part), {4, 20, 1100},
                   std::vector<float>(first, first + 4 * perSample));
    }
    const std::shared_ptr<const DumpFile> dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 1);
    CHECK(dump->samplesPerCut(dump->tensors().front()) == 4);
    checkUnits(*dump, dump->tensors().front(), engine);
}

TEST_CASE("what must be compared with a record of all values is not cut")
{
    test::H5File file;
    const std::vector<float> values(samples * 600, 1.0F);
    file.write("/activations/told", {samples, 600}, values);
    file.attribute("/activations/told", "values_sha256", std::string(64, '0'));
    file.write("/activations/free", {samples, 600}, values);
    const std::shared_ptr<const DumpFile> dump = DumpFile::open(file.path());
    CHECK(dump->samplesPerCut(dump->tensors()[*dump->find("/activations/told")]) == 0);
}

}  // namespace unit_sums_test
