// SPDX-License-Identifier: GPL-3.0-or-later
// What profiles are kept as, and their index: bytes that other people's files hold. Whole ones are
// changed at some places, so that most of what is behind the first check is reached.
#include "core/base/error.h"
#include "core/spread/merged_profiles.h"
#include "core/spread/profile_index.h"
#include "core/spread/stored_profile.h"
#include "tests/fuzz/fuzz_bytes.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

std::string wholeProfile()
{
    const std::vector<float> values{0.0F, 1.5F, -0.25F, 3.0F, 0.1F, -2.0F};
    SummedProfile part;
    Moments moments;
    moments.add(values);
    part.powers.add(moments);
    part.profile.batches.push_back(moments.extents);
    SketchCounter sketch;
    sketch.add(values);
    part.profile.sketch = sketch.sketch();
    spread::finishMoments(part);
    spread::StoredProfile stored;
    spread::append(stored, part, 0);
    stored.whole.profile.info.shape = {values.size()};
    for (const char* growth : {"fixed", "as-needed", "redistribute"}) {
        Histogram histogram{.spec = {.growth = growth, .bins = 4}};
        histogram.counts = {4, 0, 1, 1};
        stored.whole.profile.histograms.push_back(histogram);
    }
    return spread::bytesOf(stored);
}

std::string wholeIndex()
{
    spread::ProfileIndex index;
    index.files.push_back(
        {.identity = {.path = "a.h5", .bytes = 9, .modified = "", .sha256 = ""}, .firstSample = 8});
    index.tensors.push_back({.name = "a", .path = "/a", .shape = {6}});
    return spread::bytesOf(index);
}

/// The bytes with some changed: each change is a place of two bytes and a value.
std::string changed(std::string bytes, fuzz::FuzzBytes input)
{
    while (!input.rest().empty()) {
        const std::size_t place = input.number() * std::size_t{256} + input.number();
        bytes[place % bytes.size()] = static_cast<char>(input.number());
    }
    return bytes;
}

void readProfile(const std::string& bytes)
{
    const spread::StoredProfile stored = spread::storedProfileFrom(bytes, "fuzzed");
    const std::string again = spread::bytesOf(stored);
    if (spread::bytesOf(spread::storedProfileFrom(again, "fuzzed")) != again)
        std::abort();
    static_cast<void>(spread::mergedProfiles(std::vector{stored, stored}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const std::string profile = wholeProfile();
    static const std::string index = wholeIndex();
    fuzz::FuzzBytes input(bytes, size);
    try {
        switch (input.number() % 4U) {
        case 0: readProfile(std::string(input.rest())); break;
        case 1: readProfile(changed(profile, input)); break;
        case 2: static_cast<void>(spread::profileIndexFrom(input.rest(), "fuzzed")); break;
        default: static_cast<void>(spread::profileIndexFrom(changed(index, input), "fuzzed"));
        }
    } catch (const Error&) {
    }
    return 0;
}
