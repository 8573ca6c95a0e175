// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/collect/collect_joined.h"
#include "core/collect/collect_profile.h"
#include "core/dump/batch_first.h"
#include "core/spread/tensor_sums.h"
#include "core/spread/unit_counts.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"
#include "tests/support/cut_values.h"
#include "tests/support/damaged_bytes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace collect_shards_test {

using namespace calibscope;
using spread::JoinedTensor;
using spread::ListedFile;
using spread::StoredProfile;

constexpr std::uint64_t memoryBytes = std::uint64_t{64} << 20;

/// A tensor and the places where it is cut along its batches and along its channels.
struct CutTensor
{
    TensorInfo info;
    std::vector<float> values;
    std::vector<std::size_t> samples;
    std::vector<std::size_t> channels;
};

std::vector<std::size_t> someCuts(std::mt19937& engine, std::size_t length, std::size_t step)
{
    std::vector<std::size_t> cuts{0, length};
    for (auto more = engine() % 3; more > 0; --more)
        cuts.push_back(engine() % length / step * step);
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

/// Values whose range grows, with zeros, NaN and infinities at any place.
CutTensor someTensor(unsigned seed)
{
    std::mt19937 engine(seed);
    CutTensor tensor;
    TensorInfo& info = tensor.info;
    info.name = "a";
    info.path = "/activations/a";
    info.role = Role::Activation;
    info.elementType = ElementKind::Float32;
    info.batchSize = 1 + engine() % 3;
    info.batchAxis = 0;
    info.shape = {info.batchSize * (2 + engine() % 4), 2 + engine() % 5, 1 + engine() % 6};
    info.channelAxis = 1;
    if (engine() % 3 == 0) {  // channels last
        std::swap(info.shape[1], info.shape[2]);
        info.channelAxis = 2;
    }
    std::normal_distribution<float> normal(0.3F, 1.0F);
    tensor.values.resize(info.valueCount());
    for (std::size_t place = 0; place < tensor.values.size(); ++place)
        tensor.values[place] =
            engine() % 7 == 0 ? 0.0F : normal(engine) * (1.0F + 0.02F * static_cast<float>(place));
    for (auto odd = engine() % 4; odd > 0; --odd) {
        tensor.values[engine() % tensor.values.size()] = std::numeric_limits<float>::quiet_NaN();
        tensor.values[engine() % tensor.values.size()] = -std::numeric_limits<float>::infinity();
    }
    tensor.samples = someCuts(engine, info.shape[0], info.batchSize);
    tensor.channels = someCuts(engine, info.channelCount(), 1);
    return tensor;
}

/// The files of a data- and tensor-parallel recording, and the values of each.
struct Recording
{
    explicit Recording(const CutTensor& tensor)
    {
        const auto axis = static_cast<std::size_t>(*tensor.info.channelAxis);
        for (std::size_t range = 1; range < tensor.samples.size(); ++range)
            for (std::size_t shard = 1; shard < tensor.channels.size(); ++shard) {
                TensorInfo info = tensor.info;
                const std::vector<float> own = test::cutAlong(
                    tensor.values, info.shape, 0, tensor.samples[range - 1], tensor.samples[range]);
                info.shape[0] = tensor.samples[range] - tensor.samples[range - 1];
                values.push_back(test::cutAlong(own, info.shape, axis, tensor.channels[shard - 1],
                                                tensor.channels[shard]));
                info.shape[axis] = tensor.channels[shard] - tensor.channels[shard - 1];
                files.push_back(
                    {.path = "rank" + std::to_string(files.size()),
                     .firstSample = tensor.samples[range - 1],
                     .tensors = {info},
                     .shards = {{.tensor = 0, .firstChannel = tensor.channels[shard - 1]}}});
            }
    }

    std::vector<ListedFile> files;
    std::vector<std::vector<float>> values;
};

CalibratorNeeds needsOf(const Extents& extents)
{
    CalibratorNeeds needs;
    for (const GrowthRule& rule : growthRules())
        needs.histograms.push_back(
            {.growth = std::string(rule.id), .bins = 40, .domain = rule.domain});
    for (const Domain domain : {Domain::Magnitude, Domain::Signed})
        needs.orders.push_back({.domain = domain, .rank = extents.finite * 3 / 4});
    return needs;
}

StoredProfile joinedProfile(const JoinedTensor& tensor, const Recording& recording)
{
    std::vector<PartValues> parts;
    for (const spread::JoinedPart& part : tensor.parts)
        parts.push_back({.source = sourceOf(recording.files[part.file].tensors[part.tensor],
                                            recording.values[part.file]),
                         .file = part.file,
                         .name = recording.files[part.file].path});
    return collectJoined(tensor, std::move(parts), needsOf, memoryBytes, {});
}

TensorProfile wholeProfile(const CutTensor& tensor)
{
    const ValueSource source = sourceOf(tensor.info, tensor.values);
    TensorProfile whole = collectProfile(source);
    const CalibratorNeeds needs = needsOf(whole.extents());
    collectMore(whole, source, needs.histograms, needs.orders);
    return whole;
}

/// All but the moments, whose last digits depend on how values are summed.
void checkEqual(const TensorProfile& profile, const TensorProfile& expected)
{
    CHECK(profile.info.shape == expected.info.shape);
    CHECK(profile.info.batchCount() == expected.info.batchCount());
    CHECK(profile.batches == expected.batches);
    CHECK(profile.channels == expected.channels);
    CHECK(profile.extents() == expected.extents());
    CHECK(profile.sketch == expected.sketch);
    CHECK(profile.firstNotFinite == expected.firstNotFinite);
    REQUIRE(profile.histograms.size() == expected.histograms.size());
    for (const Histogram& histogram : expected.histograms)
        CHECK(*profile.histogram(histogram.spec) == histogram);
    REQUIRE(profile.orders.size() == expected.orders.size());
    for (const OrderStatistic& order : expected.orders)
        CHECK(profile.order(order.request) == order.value);
    if (expected.extents().finite > 0)
        CHECK(profile.moments.mean == test::Approx(expected.moments.mean).epsilon(1e-12));
}

TEST_CASE("however a tensor is cut along batches and channels, its profile is that of the whole")
{
    unsigned cut = 0;
    for (unsigned seed = 0; seed < 150; ++seed) {
        INFO("seed " << seed);
        const CutTensor tensor = someTensor(seed);
        Recording recording(tensor);
        if (recording.files.size() < 2)
            continue;
        ++cut;
        const JoinedTensor joined = spread::joinedFiles(recording.files).tensors.at(0);
        REQUIRE(joined.problem.empty());
        CHECK(joined.isSharded);
        const StoredProfile stored = joinedProfile(joined, recording);
        checkEqual(stored.whole.profile, wholeProfile(tensor));
        // It is kept, and read as it was.
        const std::string bytes = bytesOf(stored);
        const StoredProfile again = spread::storedProfileFrom(bytes, "P.h5:/a");
        CHECK(bytesOf(again) == bytes);
        CHECK(again.parts == stored.parts);
        // Without first samples the files of each first channel are in order of their names.
        for (ListedFile& file : recording.files)
            file.firstSample.reset();
        CHECK(bytesOf(joinedProfile(spread::joinedFiles(recording.files).tensors.at(0),
                                    recording)) == bytes);
    }
    CHECK(cut > 100);
}

TEST_CASE("shards in units, in any order and by several ranks, come to the same bytes")
{
    for (unsigned seed = 200; seed < 230; ++seed) {
        INFO("seed " << seed);
        const Recording recording(someTensor(seed));
        if (recording.files.size() < 2)
            continue;
        const JoinedTensor joined = spread::joinedFiles(recording.files).tensors.at(0);
        std::vector<spread::SummedPart> parts;
        std::vector<std::size_t> order;
        std::vector<std::uint64_t> files;
        for (const spread::JoinedPart& part : joined.parts) {
            order.push_back(parts.size());
            files.push_back(part.file);
            parts.push_back(summedPartOf(joined, parts.size(),
                                         recording.files[part.file].tensors[part.tensor]));
        }
        std::mt19937 engine(seed);
        std::ranges::shuffle(order, engine);
        const auto source = [&](std::size_t part) {
            return sourceOf(parts[part].info, recording.values[joined.parts[part].file]);
        };
        spread::TensorSums sums(parts);
        for (const std::size_t part : order) {
            spread::TensorSums own(parts);
            own.add(part, collectUnit(source(part)));
            sums.addBytes(own.bytes(), "a rank");
        }
        StoredProfile stored = sums.whole(batchFirst(joined.info), files, "a");
        const CalibratorNeeds needs = needsOf(stored.whole.profile.extents());
        spread::UnitCounts counts(stored.whole.profile, needs);
        for (const std::size_t part : order) {
            spread::UnitCounts own(stored.whole.profile, needs);
            countPart(own, source(part), firstBatchOf(stored.parts, part), {});
            counts.addBytes(own.bytes(), "a rank");
        }
        counts.finish(stored.whole.profile, "a");
        CHECK(bytesOf(stored) == bytesOf(joinedProfile(joined, recording)));
    }
}

TEST_CASE("a weight cut along its channels is put together, its copies taken once")
{
    CutTensor tensor = someTensor(1);
    tensor.info.role = Role::Weight;
    tensor.info.batchAxis.reset();
    tensor.info.batchSize = 0;
    tensor.info.shape = {6, 5};
    tensor.info.channelAxis = 0;
    tensor.values.resize(30);
    tensor.values[17] = std::numeric_limits<float>::quiet_NaN();
    Recording recording(CutTensor{tensor.info, tensor.values, {0, 6}, {0, 6}});
    // Two ranks with other samples have each of the two shards.
    recording.files.assign(4, recording.files.front());
    recording.values.clear();
    for (std::size_t file = 0; file < 4; ++file) {
        const std::size_t first = file % 2 == 0 ? 0 : 4;
        const std::size_t end = file % 2 == 0 ? 4 : 6;
        recording.files[file].path = "rank" + std::to_string(file);
        recording.files[file].firstSample = file / 2 * 8;
        recording.files[file].tensors[0].shape[0] = end - first;
        recording.files[file].shards[0].firstChannel = first;
        recording.values.push_back(test::cutAlong(tensor.values, tensor.info.shape, 0, first, end));
    }
    const JoinedTensor joined = spread::joinedFiles(recording.files).tensors.at(0);
    REQUIRE(joined.problem.empty());
    REQUIRE(joined.parts.size() == 2);
    CHECK(joined.parts[1].firstChannel == 4);
    REQUIRE(joined.parts[1].copies.size() == 1);
    CHECK(joined.parts[1].copies[0].file == 3);
    checkEqual(joinedProfile(joined, recording).whole.profile, wholeProfile(tensor));
}

TEST_CASE("copies that are not equal are named")
{
    const TensorInfo info = someTensor(3).info;
    std::vector<float> values(info.valueCount(), 1.0F);
    std::vector<float> other = values;
    other.back() = 2.0F;
    JoinedTensor tensor{.info = info, .parts = {{}}};
    const auto collected = [&](const std::vector<float>& copy) {
        std::vector<PartValues> parts(1);
        parts[0] = {.source = sourceOf(info, values), .file = 0, .name = "r0", .copies = {}};
        parts[0].copies.push_back({.source = sourceOf(info, copy), .file = 1, .name = "r1"});
        return collectJoined(tensor, std::move(parts), needsOf, memoryBytes, {});
    };
    CHECK(collected(values).parts.size() == 1);
    CHECK_THROWS_WITH(collected(other),
                      test::containsText("r1:/activations/a: its values are not those in r0, "
                                         "though it is of the same samples"));
    // In another batch the same values are others.
    std::vector<float> moved = values;
    values.front() = 2.0F;
    moved.back() = 2.0F;
    CHECK_THROWS_AS(collected(moved), Error);
    tensor.isSharded = true;
    CHECK_THROWS_WITH(collected(moved), test::containsText("though it holds the same channels"));
}

TEST_CASE("profiles of shards that are damaged are refused")
{
    CutTensor tensor = someTensor(5);
    tensor.info.shape = {4, 2, 3};
    tensor.info.batchSize = 2;
    tensor.info.channelAxis = 1;
    tensor.values.assign(24, 0.5F);
    const Recording recording(CutTensor{tensor.info, tensor.values, {0, 4}, {0, 1, 2}});
    const JoinedTensor joined = spread::joinedFiles(recording.files).tensors.at(0);
    StoredProfile stored = joinedProfile(joined, recording);
    REQUIRE(stored.parts.size() == 2);
    const auto refused = [&](const auto& change) {
        StoredProfile damaged = stored;
        change(damaged.parts);
        CHECK_THROWS_WITH(spread::storedProfileFrom(bytesOf(damaged), "P.h5:/a"),
                          test::containsText("P.h5:/a: the profile is damaged"));
    };
    refused([](auto& parts) { parts[1].firstChannel = 0; });
    refused([](auto& parts) { parts[1].firstChannel = 2; });
    refused([](auto& parts) { parts[0].channels = 0; });
    refused([](auto& parts) { parts[1].channels = std::numeric_limits<std::uint64_t>::max(); });
    refused([](auto& parts) { parts.pop_back(); });
    refused([](auto& parts) { --parts[1].batches; });
    refused([](auto& parts) { --parts[1].values; });
    const auto read = [](const std::string& damaged) {
        const StoredProfile back = spread::storedProfileFrom(damaged, "P.h5:/a");
        CHECK(back.whole.profile.sketch.count() == back.whole.profile.extents().finite);
    };
    CHECK(test::refusals(bytesOf(stored), 300, "P.h5:/a: the profile is damaged", read) > 50);
}

}  // namespace collect_shards_test
