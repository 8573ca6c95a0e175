// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/merged_profiles.h"

#include "core/base/error.h"
#include "core/protocol/codec.h"
#include "core/spread/batch_columns.h"
#include "core/stats/growth_epochs.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_bytes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace merged_profiles_test {

using namespace calibscope;
using spread::StoredProfile;

using Batch = std::vector<float>;

/// Batches of a file, two values of two channels each to a sample.
std::vector<Batch> someBatches(unsigned seed, bool isSingle = true)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.5F, 2.0F);
    std::vector<Batch> batches(2 + engine() % 3);
    for (Batch& batch : batches)
        for (std::size_t value = 0; value < 400; ++value)
            batch.push_back(isSingle ? normal(engine) : std::round(normal(engine) * 16.0F) / 16.0F);
    return batches;
}

/// A part's first pass, worked out batch by batch; channels are even and odd places.
SummedProfile summed(const std::vector<Batch>& batches)
{
    SummedProfile part;
    SketchCounter sketch;
    std::uint64_t place = 0;
    part.profile.channels.resize(2);
    for (const Batch& batch : batches) {
        Moments moments;
        moments.add(batch);
        part.powers.add(moments);
        part.profile.batches.push_back(moments.extents);
        part.profile.firstNotFinite.add(batch, place, moments.extents);
        place += batch.size();
        sketch.add(batch);
        for (std::size_t value = 0; value < batch.size(); ++value)
            part.profile.channels[value % 2].add(batch[value]);
    }
    part.profile.sketch = sketch.sketch();
    spread::finishMoments(part);
    return part;
}

StoredProfile profileOf(const std::vector<std::vector<Batch>>& files, std::uint64_t firstFile = 0,
                        std::uint64_t step = 1)
{
    StoredProfile stored;
    for (const std::vector<Batch>& file : files) {
        spread::append(stored, summed(file), firstFile);
        firstFile += step;
    }
    stored.whole.profile.info.shape = {1, 2};
    stored.whole.profile.info.channelAxis = 1;
    spread::finishMoments(stored.whole);
    return stored;
}

void addHistogram(StoredProfile& stored, const std::vector<std::vector<Batch>>& files,
                  const HistogramSpec& spec)
{
    TensorProfile& profile = stored.whole.profile;
    const GrowthRule& rule = growthRule(spec.growth);
    Histogram histogram = emptyHistogram(spec);
    ValuesBefore before;
    std::size_t batch = 0;
    for (const std::vector<Batch>& file : files)
        for (const Batch& values : file) {
            rule.grow(histogram, profile.batches[batch], before, profile.extents());
            before.add(profile.batches[batch++]);
            histogram.add(values);
        }
    profile.histograms.push_back(histogram);
}

const HistogramSpec fixedSpec{.growth = "fixed", .bins = 64, .domain = Domain::Magnitude};
const HistogramSpec doubleSpec{.growth = "double", .bins = 64, .domain = Domain::Magnitude};

TEST_CASE("profiles of parts merged are the profile of all files, to the byte")
{
    std::vector<std::vector<Batch>> files;
    for (unsigned file = 0; file < 6; ++file)
        files.push_back(someBatches(file));
    files[1][0][7] = std::nanf("");
    files[4][1][9] = -INFINITY;
    files[2][1][3] = std::nanf("");
    const StoredProfile whole = profileOf(files);
    CHECK(whole.whole.profile.firstNotFinite.nan == files[0].size() * 400 + 7);
    // Even files in one profile, odd ones in another; and one that is merged twice.
    const std::vector<StoredProfile> halves{profileOf({files[1], files[3], files[5]}, 1, 2),
                                            profileOf({files[0], files[2], files[4]}, 0, 2)};
    const auto withInfo = [&](spread::MergedProfile merged) {
        merged.stored.whole.profile.info = whole.whole.profile.info;
        return bytesOf(merged.stored);
    };
    CHECK(withInfo(spread::mergedProfiles(halves)) == bytesOf(whole));
    const std::vector<StoredProfile> some{profileOf({files[5]}, 5), profileOf({files[0]}, 0)};
    const std::vector<StoredProfile> all{profileOf({files[1], files[2], files[3], files[4]}, 1),
                                         spread::mergedProfiles(some).stored};
    CHECK(withInfo(spread::mergedProfiles(all)) == bytesOf(whole));
}

TEST_CASE("histograms stay where all was counted in the same bins, and are named where not")
{
    std::vector<std::vector<Batch>> files{someBatches(1), someBatches(2)};
    for (std::vector<Batch>& file : files)
        for (Batch& batch : file)
            batch[0] = 20.0F;  // one range for all
    std::vector<StoredProfile> parts{profileOf({files[0]}, 0), profileOf({files[1]}, 1)};
    StoredProfile whole = profileOf(files);
    for (const HistogramSpec& spec : {fixedSpec, doubleSpec}) {
        addHistogram(parts[0], {files[0]}, spec);
        addHistogram(parts[1], {files[1]}, spec);
        addHistogram(whole, files, spec);
    }
    const spread::MergedProfile merged = spread::mergedProfiles(parts);
    CHECK(merged.leftOut.empty());
    CHECK(merged.stored.whole.profile.histograms == whole.whole.profile.histograms);

    files[1].back()[0] = 50.0F;
    std::vector<StoredProfile> apart{profileOf({files[0]}, 0), profileOf({files[1]}, 1)};
    for (std::size_t part = 0; part < 2; ++part)
        addHistogram(apart[part], {files[part]}, fixedSpec);
    const spread::MergedProfile other = spread::mergedProfiles(apart);
    CHECK(other.stored.whole.profile.histograms.empty());
    CHECK(other.leftOut == std::vector<std::string>{"the histogram of 64 bins of |x|, fixed"});
}

TEST_CASE("of values that a sketch holds whole, fixed histograms are made anew")
{
    const std::vector<std::vector<Batch>> files{someBatches(3, false), someBatches(4, false)};
    std::vector<StoredProfile> parts{profileOf({files[0]}, 0), profileOf({files[1]}, 1)};
    StoredProfile whole = profileOf(files);
    addHistogram(whole, files, fixedSpec);
    addHistogram(parts[0], {files[0]}, fixedSpec);
    addHistogram(parts[1], {files[1]}, fixedSpec);
    const spread::MergedProfile merged = spread::mergedProfiles(parts);
    CHECK(merged.leftOut.empty());
    CHECK(merged.stored.whole.profile.histograms == whole.whole.profile.histograms);
}

TEST_CASE("a profile is read as it was written, whatever its histogram's rule")
{
    const std::vector<std::vector<Batch>> files{someBatches(5), someBatches(6)};
    StoredProfile stored = profileOf(files);
    for (const GrowthRule& rule : growthRules())
        addHistogram(stored, files,
                     {.growth = std::string(rule.id), .bins = 50, .domain = rule.domain});
    stored.whole.profile.orders.push_back({.request = {Domain::Signed, 3}, .value = -1.5});
    const std::string bytes = bytesOf(stored);
    const StoredProfile again = spread::storedProfileFrom(bytes, "P.h5:/a");
    CHECK(bytesOf(again) == bytes);
    REQUIRE(again.whole.profile.histograms.size() == growthRules().size());
    for (const Histogram& histogram : stored.whole.profile.histograms)
        CHECK(*again.whole.profile.histogram(histogram.spec) == histogram);
    CHECK(again.whole.powers == stored.whole.powers);
    CHECK(again.whole.profile.moments.m4 == stored.whole.profile.moments.m4);
    CHECK(again.parts == stored.parts);
}

TEST_CASE("a profile of the first format is read, whose batches are not packed")
{
    const StoredProfile stored = profileOf({someBatches(5), someBatches(6)});
    const std::string bytes = bytesOf(stored);
    protocol::Json json = protocol::parseCbor(bytes);
    CHECK(json.at("format") == 2);
    protocol::TensorView view = protocol::decode<protocol::TensorView>(json.at("view"));
    CHECK(view.profile.batches.empty());
    view.profile.batches = stored.whole.profile.batches;
    json["format"] = 1;
    json["view"] = protocol::encode(view);
    json.erase("batches");
    std::string first;
    protocol::Json::to_cbor(json, first);
    const StoredProfile read = spread::storedProfileFrom(first, "P.h5:/a");
    CHECK(read.whole.profile.batches == stored.whole.profile.batches);
    CHECK(bytesOf(read) == bytes);
}

TEST_CASE("many batches take less than a quarter of their members, and lose nothing")
{
    std::vector<Extents> batches;
    for (int batch = 0; batch < 5000; ++batch) {
        const auto end = static_cast<float>(1.0 + 0.3 * std::sin(batch * 1.7));
        batches.push_back({.finite = 4096,
                           .zeros = static_cast<std::uint64_t>(batch % 900),
                           .min = batch % 7 == 0 ? -0.0 : static_cast<double>(-0.9F * end),
                           .max = static_cast<double>(end),
                           .absMin = static_cast<double>(end * 1e-40F),
                           .absSecond = static_cast<double>(end * 0.99F),
                           .atMin = 1,
                           .atMax = batch == 4711 ? 2U : 1U});
    }
    batches[17] = {.nan = 4096};
    const protocol::Json json = spread::writeBatches(batches);
    const protocol::Where where{nullptr, "here"};
    const std::vector<Extents> again = spread::readBatches(json, where);
    CHECK(again == batches);
    CHECK(std::signbit(again[7].min));
    std::string bytes;
    protocol::Json::to_cbor(json, bytes);
    CHECK(bytes.size() < batches.size() * sizeof(Extents) / 4);
    CHECK(spread::readBatches(spread::writeBatches({}), where).empty());
    CHECK(spread::readBatches(spread::writeBatches({batches[4]}), where) ==
          std::vector<Extents>{batches[4]});
    // A column that is longer or shorter than the others.
    protocol::Json other = json;
    other["zeros"] = protocol::writePacked(std::vector<std::uint64_t>{1, 2});
    CHECK_THROWS_AS(spread::readBatches(other, where), Error);
}

TEST_CASE("damaged profiles are refused with a sentence, and never believed")
{
    StoredProfile stored = profileOf({someBatches(7)});
    addHistogram(stored, {someBatches(7)}, fixedSpec);
    const std::string bytes = bytesOf(stored);
    CHECK_THROWS_AS(spread::storedProfileFrom({}, "P.h5:/a"), Error);
    const auto read = [](const std::string& damaged) {
        const StoredProfile back = spread::storedProfileFrom(damaged, "P.h5:/a");
        // What was not noticed is a number alone: all counts fit each other.
        CHECK(back.whole.profile.sketch.count() == back.whole.profile.extents().finite);
    };
    CHECK(test::refusals(bytes, 400, "P.h5:/a: the profile is damaged", read) > 100);
}

}  // namespace merged_profiles_test
