// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/tensor_sums.h"

#include "core/base/error.h"
#include "core/spread/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_bytes.h"

#include <string>
#include <vector>

namespace tensor_sums_test {

using namespace calibscope;
using spread::TensorSums;

TensorInfo partOf(std::uint64_t samples)
{
    TensorInfo info;
    info.name = "a";
    info.path = "/activations/a";
    info.elementType = ElementKind::Float32;
    info.shape = {samples, 3, 4};
    info.batchAxis = 0;
    info.batchSize = 2;
    info.channelAxis = 1;
    return info;
}

/// Some samples of a part, whose values tell their place.
UnitSums unitOf(const TensorInfo& info, std::uint64_t first, std::uint64_t end)
{
    UnitSums unit;
    TensorProfile& profile = unit.summed.profile;
    profile.info = info;
    profile.batches.resize(info.batchCount());
    profile.channels.resize(3);
    SketchCounter sketch;
    for (std::uint64_t sample = first; sample < end; ++sample) {
        std::vector<float> values(12);
        for (std::size_t place = 0; place < values.size(); ++place)
            values[place] = static_cast<float>(sample) + 0.1F * static_cast<float>(place);
        Moments moments;
        moments.add(values);
        unit.summed.powers.add(moments);
        profile.batches[sample / 2] += moments.extents;
        for (std::size_t channel = 0; channel < 3; ++channel)
            profile.channels[channel].add(std::span(values).subspan(4 * channel, 4));
        sketch.add(values);
    }
    profile.sketch = sketch.sketch();
    return unit;
}

TEST_CASE("of failures that of the lowest place is told, whoever met it")
{
    TensorSums one({partOf(4), partOf(6)});
    one.add({.part = 1, .sample = 2, .sentence = "later"});
    TensorSums other({partOf(4), partOf(6)});
    other.add({.part = 1, .sample = 0, .sentence = "first"});
    other.add({.part = 1, .sample = 4, .sentence = "last"});
    for (const bool isFirst : {true, false}) {
        TensorSums whole({partOf(4), partOf(6)});
        whole.addBytes((isFirst ? one : other).bytes(), "a rank");
        whole.addBytes((isFirst ? other : one).bytes(), "a rank");
        REQUIRE(whole.failure());
        CHECK(whole.failure()->sentence == "first");
    }
}

TEST_CASE("sums of all units are whole; with one missing or twice they are refused")
{
    const std::vector<TensorInfo> infos{partOf(4), partOf(6)};
    TensorSums sums(infos);
    sums.add(1, unitOf(infos[1], 2, 6));
    sums.add(0, unitOf(infos[0], 0, 4));
    TensorInfo whole = partOf(10);
    const std::vector<std::uint64_t> files{0, 1};
    CHECK_THROWS_AS(sums.whole(whole, files, "a"), Error);
    sums.add(1, unitOf(infos[1], 0, 2));
    const spread::StoredProfile stored = sums.whole(whole, files, "a");
    CHECK(stored.whole.profile.batches.size() == 5);
    CHECK(stored.whole.profile.extents().finite == 120);
    CHECK(stored.parts.size() == 2);
    CHECK(stored.parts[1].values == 72);
    sums.add(1, unitOf(infos[1], 0, 2));
    CHECK_THROWS_AS(sums.whole(whole, files, "a"), Error);
}

TEST_CASE("damaged sums, and those of another tensor, are refused or add up to what is refused")
{
    const std::vector<TensorInfo> infos{partOf(4), partOf(6)};
    TensorSums sums(infos);
    sums.add(0, unitOf(infos[0], 0, 4));
    sums.add(1, unitOf(infos[1], 0, 6));
    const std::string bytes = sums.bytes();
    TensorInfo other = partOf(4);
    other.path = "/activations/b";
    CHECK_THROWS_AS(TensorSums({other, other}).addBytes(bytes, "D/sums-0-0"), Error);
    CHECK(test::refusals(bytes, 300, "D/sums-0-0: it is damaged", [&](const std::string& damaged) {
              TensorSums(infos).addBytes(damaged, "D/sums-0-0");
          }) > 100);
}

TEST_CASE("byte strings that travel as one come back, and damaged ones are refused")
{
    const std::vector<std::string> texts{"", std::string("a\0b", 3), std::string(1000, 'x')};
    const std::string bytes = spread::packed(texts);
    CHECK(spread::unpacked(bytes) == texts);
    CHECK(spread::unpacked("").empty());
    for (std::size_t cut = 1; cut < bytes.size(); cut += 100)
        if (cut != 8 && cut != 8 + 11)
            CHECK_THROWS_AS(spread::unpacked(std::string_view(bytes).substr(0, cut)), Error);
}

}  // namespace tensor_sums_test
