// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cache_folder.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "ui/queries/engine_client.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

namespace engine_client_cache_test {

using namespace calibscope;
using calibscope::test::TemporaryFolder;
namespace fs = std::filesystem;

/// The real engine, the sample as it would lie in a user's folder, and two places for a cache.
struct CachingClient
{
    CachingClient()
    {
        client.setProgram(CALIBSCOPE_PROGRAM_DIR "/calib");
        fs::copy_file(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5", sample);
        fs::last_write_time(sample, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }

    void useFolder(const fs::path& folder)
    {
        client.setCacheFolder(QString::fromStdString(folder.string()));
    }

    void ask(std::uint64_t tensor)
    {
        client.ask(protocol::PreviewRequest{.tensor = {.file = sample, .index = tensor}},
                   [this](Answer<protocol::Preview> answer) { answers.push_back(answer); });
    }

    bool waitForAnswers(std::size_t count) const
    {
        const auto isGood = [](const auto& answer) { return answer.value.has_value(); };
        return QTest::qWaitFor([&] { return answers.size() >= count; }, 20000) &&
               std::ranges::all_of(answers, isGood);
    }

    TemporaryFolder home;
    std::string sample = home.file("sample.h5");
    fs::path one = home.path() / "one";
    fs::path two = home.path() / "two";
    EngineClient client;
    std::vector<Answer<protocol::Preview>> answers;
};

TEST_CASE("the engine keeps what it finds in the client's cache folder, and answers from it")
{
    CachingClient test;
    test.useFolder(test.one);
    test.ask(0);
    REQUIRE(test.waitForAnswers(1));
    // Its profile, and the answer.
    CHECK(cacheFiles(test.one).size() == 2);
    EngineClient other;
    other.setProgram(CALIBSCOPE_PROGRAM_DIR "/calib");
    other.setCacheFolder(QString::fromStdString(test.one.string()));
    std::vector<Answer<protocol::Preview>> again;
    other.ask(protocol::PreviewRequest{.tensor = {.file = test.sample}},
              [&](Answer<protocol::Preview> a) { again.push_back(a); });
    REQUIRE(QTest::qWaitFor([&] { return !again.empty(); }, 20000));
    REQUIRE(again[0].value);
    CHECK(again[0].value->extents == test.answers[0].value->extents);
    CHECK(again[0].value->sparkline == test.answers[0].value->sparkline);
    CHECK(cacheFiles(test.one).size() == 2);
}

TEST_CASE("another cache folder, or none, holds from the next request on and loses no answer")
{
    CachingClient test;
    const QSignalSpy deaths(&test.client, &EngineClient::engineDied);
    test.ask(0);
    test.useFolder(test.one);
    test.ask(1);
    REQUIRE(test.waitForAnswers(2));
    const std::size_t kept = cacheFiles(test.one).size();
    CHECK(kept >= 2);
    test.useFolder({});
    test.ask(2);
    REQUIRE(test.waitForAnswers(3));
    CHECK(cacheFiles(test.one).size() == kept);
    test.useFolder(test.two);
    test.ask(3);
    REQUIRE(test.waitForAnswers(4));
    CHECK(cacheFiles(test.one).size() == kept);
    CHECK(cacheFiles(test.two).size() == 2);
    CHECK(deaths.isEmpty());
}

}  // namespace engine_client_cache_test
