// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/session_decisions.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/recipes/choice_json.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <filesystem>
#include <fstream>

namespace session_decisions_test {

using namespace calibscope;
using test::Approx;
using test::containsText;
using Json = nlohmann::json;

Json choice(const std::string& calibrator, Granularity granularity)
{
    return choiceJson(makeChoice(calibrator, {}, SchemeKind::SymmetricFull, granularity));
}

/// A session file's text with decisions on one dump, as the window writes them.
Json sessionOf(const std::string& dumpPath)
{
    return {
        {"format", "calibscope session"},
        {"version", 3},
        {"dumps",
         {{{"absolute", dumpPath},
           {"size", std::filesystem::file_size(dumpPath)},
           {"header_sha256", headerSha256(dumpPath)},
           {"said", {{"/weights/w", {{"channel_axis", 1}}}}},
           {"excluded", {"/activations/b"}},
           {"decisions",
            {{"/weights/w", {{"id", "x"}, {"choice", choice("min-max", Granularity::Channel)}}},
             {"/activations/b", {{"id", "y"}, {"choice", choice("min-max", Granularity::Tensor)}}},
             {"/activations/gone",
              {{"id", "z"}, {"choice", choice("min-max", Granularity::Tensor)}}}}}}}}};
}

test::H5File sample()
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/activations/b", {2, 2}, std::vector<float>{1, 2, 3, 4});
    file.write("/weights/w", {2, 3}, std::vector<float>{1.27F, 2.54F, 0, 0, 0, -12.7F});
    return file;
}

TEST_CASE("a session's decisions are computed as the session understands its tensors")
{
    const test::H5File file = sample();
    const auto dump = DumpFile::open(file.path());
    const auto session = deploy::sessionDecisions(sessionOf(file.path()).dump(), "/s.calsession");
    REQUIRE(session.size() == 1);
    const deploy::Decisions decisions = deploy::decidedBy(*dump, session, "/s.calsession");
    REQUIRE(decisions.tensors.size() == 1);
    const DecidedTensor& w = decisions.tensors.front();
    CHECK(w.info.channelAxis == 1);
    REQUIRE(w.outcome.channels.size() == 3);
    CHECK(w.outcome.channels[1].quantizer.scale == Approx(0.02));
    CHECK(w.outcome.choice.scheme.kind == SchemeKind::SymmetricFull);
    CHECK(decisions.problems ==
          std::vector{file.path() + ":/activations/gone: was decided, but is not in the dump"});
    CHECK(decisions.warnings ==
          std::vector{file.path() + ":/activations/b: was decided and then excluded: left out"});
}

TEST_CASE("a copy of the session's dump is known by size and beginning, another file is not")
{
    const test::H5File file = sample();
    const test::H5File other;
    const auto session = deploy::sessionDecisions(sessionOf(file.path()).dump(), "/s.calsession");
    const std::string copy = other.folder().file("copy.h5");
    std::filesystem::copy_file(file.path(), copy);
    CHECK(deploy::decidedBy(*DumpFile::open(copy), session, "s").tensors.size() == 1);
    CHECK_THROWS_WITH(deploy::decidedBy(*DumpFile::open(other.path()), session, "s"),
                      containsText("is not one of the dumps of s"));
}

TEST_CASE("a dump that was changed since is taken with a warning")
{
    test::H5File file = sample();
    const auto session = deploy::sessionDecisions(sessionOf(file.path()).dump(), "s");
    file.write("/activations/more", {2}, std::vector<float>{1, 2});
    const deploy::Decisions decisions =
        deploy::decidedBy(*DumpFile::open(file.path()), session, "s");
    REQUIRE_FALSE(decisions.warnings.empty());
    CHECK(decisions.warnings.front() == file.path() + ": was changed since s was saved");
}

TEST_CASE("what is not a session is refused with its place")
{
    const test::H5File file = sample();
    const auto complaint = [](const Json& json) -> std::string {
        try {
            static_cast<void>(deploy::sessionDecisions(json.dump(), "s"));
        } catch (const Error& error) {
            CHECK(error.fault() == Fault::Input);
            return error.what();
        }
        return {};
    };
    const Json good = sessionOf(file.path());
    const auto changed = [&good](const char* pointer, const Json& value) {
        Json json = good;
        json[Json::json_pointer(pointer)] = value;
        return json;
    };
    CHECK_THAT(complaint(changed("/version", 4)), containsText("session version 4"));
    CHECK_THAT(complaint(changed("/format", "x")), containsText("is not a Calibscope session"));
    CHECK_THAT(complaint(changed("/dumps/0/decisions/~1weights~1w/choice/calibrator", "dice")),
               containsText("decisions of /weights/w: choice: there is no calibrator dice"));
    CHECK_THAT(complaint(changed("/dumps/0/decisions/~1weights~1w/choice", nullptr)),
               containsText("lacks its choice"));
    CHECK_THAT(complaint(changed("/dumps/0/said/~1weights~1w/channel_axis", -2)),
               containsText("is not an axis"));
    CHECK_THAT(complaint(Json(1)), containsText("s"));
    // An axis that the dump's tensor does not have is told with the session, not as a usage error.
    const auto session =
        deploy::sessionDecisions(changed("/dumps/0/said/~1weights~1w/channel_axis", 9).dump(), "s");
    CHECK_THROWS_WITH(deploy::decidedBy(*DumpFile::open(file.path()), session, "s"),
                      containsText("s: said of /weights/w: "));
}

TEST_CASE("a session file that is none, too large or a pipe is refused")
{
    const test::TemporaryFolder folder;
    CHECK_THROWS_AS(deploy::readSessionDecisions(folder.file("none")), Error);
    CHECK_THROWS_AS(deploy::readSessionDecisions("/dev/zero"), Error);
    std::ofstream(folder.file("nested")) << std::string(100000, '[');
    CHECK_THROWS_AS(deploy::readSessionDecisions(folder.file("nested")), Error);
}

}  // namespace session_decisions_test
