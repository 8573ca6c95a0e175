// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/engine/methods.h"
#include "core/protocol/codec.h"
#include "core/recipes/make_choice.h"
#include "tests/engine/counted_sample.h"
#include "tests/engine/fake_dump.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace methods_cache_test {

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using calibscope::test::CountedSample;
using calibscope::test::TemporaryFolder;
namespace fs = std::filesystem;

struct Asked
{
    std::string method;
    Json params;
};

Choice percentile(double alpha)
{
    return makeChoice("percentile", {{"alpha", std::to_string(alpha)}},
                      SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

Choice minMax()
{
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

/// What a window asks of one activation and one weight, and of choices that change meanwhile.
std::vector<Asked> someRequests(const std::string& path)
{
    const HistogramSpec coarse{"fixed", 64, Domain::Magnitude};
    const HistogramSpec fine{"double", 2048, Domain::Magnitude};
    const Choice entropy =
        makeChoice("entropy", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    const Choice perChannel =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Channel);
    std::vector<Asked> asked;
    for (const std::uint64_t tensor : {0U, 29U}) {
        const ViewRequest first{.tensor = {.file = path, .index = tensor},
                                .histograms = {coarse},
                                .choices = {percentile(99.9), entropy, perChannel}};
        ViewRequest second = first;
        second.histograms = {fine, coarse};
        second.choices = {percentile(99.0)};
        ViewRequest part = first;
        part.tensor.part.channel = 1;
        const PreviewRequest preview{.tensor = {.file = path, .index = tensor},
                                     .choice = percentile(99.9)};
        const StripRequest strip{.tensor = {.file = path, .index = tensor},
                                 .rows = StripRows::Batch};
        const CompareRequest compare{.a = {.file = path, .index = tensor},
                                     .b = {.file = path, .index = tensor},
                                     .choices = {percentile(99.9)}};
        asked.push_back({"preview", encode(preview)});
        asked.push_back({"view", encode(first)});
        asked.push_back({"view", encode(second)});
        asked.push_back({"view", encode(part)});
        asked.push_back({"strip", encode(strip)});
        asked.push_back({"compare", encode(compare)});
    }
    return asked;
}

std::vector<std::string> answersOf(Methods methods, const std::vector<Asked>& requests)
{
    std::vector<std::string> answers;
    for (const Asked& asked : requests) {
        std::string bytes;
        Json::to_cbor(methods.call(asked.method, asked.params, {}), bytes);
        answers.push_back(std::move(bytes));
    }
    return answers;
}

TEST_CASE("answers are the same bytes without a cache, with a new one, and from a full one")
{
    CountedSample sample;
    const std::vector<Asked> requests = someRequests(sample.path);
    const std::vector<std::string> plain = answersOf(sample.methods(), requests);
    sample.passes = 0;
    const std::vector<std::string> cold = answersOf(sample.cachingMethods(), requests);
    CHECK(sample.passes > 0);
    sample.passes = 0;
    const std::vector<std::string> warm = answersOf(sample.cachingMethods(), requests);
    CHECK(sample.passes == 0);
    for (std::size_t place = 0; place < requests.size(); ++place) {
        INFO(requests[place].method << " " << place);
        CHECK(cold[place] == plain[place]);
        CHECK(warm[place] == plain[place]);
    }
}

TEST_CASE("an answer does not depend on what was asked before it")
{
    CountedSample sample;
    std::vector<Asked> requests = someRequests(sample.path);
    const std::vector<std::string> forward = answersOf(sample.cachingMethods(), requests);
    std::ranges::reverse(requests);
    std::vector<std::string> backward = answersOf(sample.methods(), requests);
    std::ranges::reverse(backward);
    CHECK(forward == backward);
}

TEST_CASE("of a known tensor another choice is computed from the kept profile")
{
    CountedSample sample;
    const HistogramSpec spec{"fixed", 64, Domain::Magnitude};
    ViewRequest request{
        .tensor = {.file = sample.path}, .histograms = {spec}, .exactMetrics = false};
    (void)sample.cachingMethods().answer(request, {});
    sample.passes = 0;
    request.choices = {minMax()};
    const TensorView view = sample.cachingMethods().answer(request, {});
    CHECK(sample.passes == 0);
    CHECK(view.profile.histograms.size() == 1);
    CHECK(view.outcomes[0].whole.clip.threshold == view.profile.extents().absMax());
}

TEST_CASE("a dump that was changed, or whose change can't be told, is read")
{
    CountedSample sample;
    const ViewRequest request{.tensor = {.file = sample.path}};
    (void)sample.cachingMethods().answer(request, {});
    sample.passes = 0;
    (void)sample.cachingMethods().answer(request, {});
    REQUIRE(sample.passes == 0);
    SECTION("its time")
    {
        sample.makeOld(3599);
    }
    SECTION("its size")
    {
        std::ofstream(sample.path, std::ios::app) << "more";
        sample.makeOld();
    }
    SECTION("its time is that of a moment ago")
    {
        sample.makeOld(0);
    }
    SECTION("it may reach into other files")
    {
        (void)sample.cachingMethods().answer(
            ViewRequest{.tensor = {.file = sample.path, .allowExternal = true}}, {});
        sample.passes = 0;
        (void)sample.cachingMethods().answer(
            ViewRequest{.tensor = {.file = sample.path, .allowExternal = true}}, {});
        CHECK(sample.passes == 1);
        return;
    }
    SECTION("another version of the program kept it")
    {
        (void)sample.cachingMethods("2").answer(request, {});
        CHECK(sample.passes == 1);
        return;
    }
    SECTION("the cache was cleared")
    {
        clearCache(sample.cache().folder);
    }
    (void)sample.cachingMethods().answer(request, {});
    CHECK(sample.passes == 1);
}

TEST_CASE("values of another header under the same name, size and time are read")
{
    CountedSample sample;
    const auto time = fs::last_write_time(sample.path);
    const PreviewRequest request{.tensor = {.file = sample.path}};
    (void)sample.cachingMethods().call("preview", encode(request), {});
    {
        std::fstream file(sample.path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(30000);
        file.put('?');
    }
    fs::last_write_time(sample.path, time);
    sample.passes = 0;
    (void)sample.cachingMethods().call("preview", encode(request), {});
    CHECK(sample.passes == 1);
}

TEST_CASE("values that change behind the header under the same name, size and time are read")
{
    CountedSample sample;
    const auto time = fs::last_write_time(sample.path);
    const PreviewRequest request{.tensor = {.file = sample.path}};
    (void)sample.cachingMethods().call("preview", encode(request), {});
    {
        std::fstream file(sample.path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(-1, std::ios::end);
        const char last = static_cast<char>(file.get());
        file.seekp(-1, std::ios::end);
        file.put(last);
    }
    fs::last_write_time(sample.path, time);  // as rsync -t and cp -p do
    sample.passes = 0;
    (void)sample.cachingMethods().call("preview", encode(request), {});
    CHECK(sample.passes == 1);
}

TEST_CASE("files that are damaged are computed anew, to the same bytes")
{
    CountedSample sample;
    const std::vector<Asked> requests = someRequests(sample.path);
    const std::vector<std::string> cold = answersOf(sample.cachingMethods(), requests);
    for (const CacheFile& file : cacheFiles(sample.cache().folder)) {
        std::fstream bytes(file.path, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(file.bytes / 2));
        bytes.put('\x55');
        bytes.put('\xaa');
    }
    sample.passes = 0;
    CHECK(answersOf(sample.cachingMethods(), requests) == cold);
    CHECK(sample.passes > 0);
}

TEST_CASE("a file that changes while it is read is an error, and leaves nothing behind")
{
    CountedSample sample;
    EngineParts parts = sample.parts();
    parts.analyse = [&](const ValueSource& source, TensorProfile& profile,
                        std::span<const Choice> choices, const AnalyseOptions& options,
                        const Progress& progress) {
        sample.makeOld(100);
        return analyse(source, profile, choices, options, progress);
    };
    CHECK_THROWS_AS(Methods(parts, CountedSample::memoryBytes, sample.cache())
                        .answer(ViewRequest{.tensor = {.file = sample.path}}, {}),
                    Error);
    CHECK(cacheFiles(sample.cache().folder).empty());
}

TEST_CASE("what failed is asked again")
{
    test::FakeDumps dumps;
    const TemporaryFolder folder;
    EngineParts parts = dumps.parts();
    parts.state = [](const std::string&) { return std::string("state"); };
    parts.open = [&dumps](const std::string& path, bool, const Progress&) {
        OpenDump dump = *dumps.open(path);
        dump.state = "state";
        return std::make_shared<const OpenDump>(std::move(dump));
    };
    int calls = 0;
    std::string problem = "the disk is asleep";
    parts.analyse = [&](const ValueSource&, TensorProfile& profile, std::span<const Choice> choices,
                        const AnalyseOptions&, const Progress&) {
        ++calls;
        return std::vector<Outcome>{
            {.tensor = profile.info.name, .choice = choices[0], .problem = problem}};
    };
    const auto ask = [&] {
        return Methods(parts, 1 << 20, CacheOptions{.folder = folder.path(), .version = "1"})
            .answer(ViewRequest{.tensor = {.file = "a.h5"}, .choices = {minMax()}}, {});
    };
    CHECK(ask().outcomes[0].problem == problem);
    problem.clear();
    CHECK(ask().outcomes[0].problem.empty());
    CHECK(calls == 2);
    CHECK(ask().outcomes[0].problem.empty());
    CHECK(calls == 2);
    CHECK(dumps.passes == 1);
}

}  // namespace methods_cache_test
