// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session_document.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/document/session_samples.h"

#include <QDir>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>

namespace session_document_test {

using namespace calibscope;
using Json = nlohmann::json;
using test::TemporaryFolder;

namespace {

const std::string origin = "/dumps/s.calsession";

/// A session with that member in place of its own.
std::string changed(const Json::json_pointer& place, const Json& value)
{
    Json json = Json::parse(sessionJson(test::someSession(), "/dumps"));
    json[place] = value;
    return json.dump();
}

std::string problemOf(const std::string& json)
{
    try {
        (void)sessionFromJson(json, origin);
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a decision for a program of one's own keeps its name and content")
{
    SessionDocument session = test::someSession();
    const Choice program = makeChoice(
        "program", {{"file", "mine.py"}, {"sha256", std::string(64, 'a')}, {"bins", "64"}},
        SchemeKind::Affine, Granularity::Tensor);
    session.dumps[0].own.decisions["/a"] = {"program:1", "own program mine.py", program, ""};
    const SessionDocument back = sessionFromJson(sessionJson(session, "/dumps"), origin);
    CHECK(back == session);
    CHECK(back.dumps[0].own.decisions["/a"].choice.isSameComputation(program));
}

TEST_CASE("a session comes back from its file as it was, to the last bit")
{
    const SessionDocument session = test::someSession();
    const std::string json = sessionJson(session, "/dumps");
    const SessionDocument back = sessionFromJson(json, origin);
    CHECK(back == session);
    // Equal choices may differ in what does not change their numbers.
    const Choice& choice = back.dumps[0].own.decisions["/a"].choice;
    CHECK(choice.recipe == "moffett-cnn");
    CHECK(choice.note == "an unknown role");
    CHECK(sessionJson(back, "/dumps") == json);
}

TEST_CASE("the keys of a session are sorted, and numbers are the shortest that read back")
{
    const std::string json = sessionJson(test::someSession(), "/dumps");
    CHECK(json.ends_with("}\n"));
    CHECK(json.find("\"dumps\"") < json.find("\"format\""));
    CHECK(json.find("\"shared\"") < json.find("\"version\""));
    CHECK(json.find("0.30000000000000004,") != std::string::npos);
    CHECK(json.find("\"low\": -0.1") != std::string::npos);
    CHECK(json.find("\"high\": \"inf\"") != std::string::npos);
    CHECK(json.find("\"low\": \"-inf\"") != std::string::npos);
}

TEST_CASE("dumps are looked for beside the session, then where they were")
{
    const test::TemporaryFolder here;
    const test::TemporaryFolder there;
    SessionDocument session;
    session.dumps.resize(2);
    session.dumps[0].identity.path = here.file("beside.h5");
    session.dumps[1].identity.path = here.file("stays.h5");
    test::writeBytes(there.file("beside.h5"), "moved with the session");
    const std::string json = sessionJson(session, here.path().string());
    CHECK(Json::parse(json)["dumps"][0]["path"] == "beside.h5");
    const SessionDocument moved = sessionFromJson(json, there.file("s.calsession"));
    CHECK(moved.dumps[0].identity.path == there.file("beside.h5"));
    CHECK(moved.dumps[1].identity.path == here.file("stays.h5"));
}

TEST_CASE("members that are not known are left alone, and those that lack are as at the start")
{
    CHECK(sessionFromJson(changed("/dumps/0/mood"_json_pointer, "fine"), origin) ==
          test::someSession());
    const SessionDocument bare =
        sessionFromJson(R"({"format": "calibscope session", "version": 3})", origin);
    CHECK(bare == SessionDocument{});
}

TEST_CASE("a newer session is refused with a sentence that names both versions")
{
    Json json = Json::parse(sessionJson(test::someSession(), "/dumps"));
    const auto own = json["written_by"].get<std::string>();
    json["version"] = 7;
    json["written_by"] = "9.8.7";
    json["shared"] = "of another form by then";
    CHECK(problemOf(json.dump()) ==
          origin + ": is of session version 7, and this Calibscope " + own +
              " reads versions up to 3; open it with Calibscope 9.8.7 or later");
}

TEST_CASE("what is not a session, damaged or of a wrong type is refused with its place")
{
    CHECK(problemOf("{\"dumps\": [") ==
          origin + ": is not valid JSON; it may be damaged or truncated");
    CHECK(problemOf("[]") == origin + ": is not an object");
    CHECK(problemOf("{}") == origin + ": is not a Calibscope session");
    CHECK(problemOf(changed("/version"_json_pointer, 0)) == origin + ": has no session version");
    CHECK(problemOf(changed("/version"_json_pointer, "1")) ==
          origin + ": version is not a whole number");
    CHECK(problemOf(changed("/shown"_json_pointer, 2)) ==
          origin + ": shown is not one of its dumps");
    CHECK(problemOf(changed("/dumps/0/size"_json_pointer, -1)) ==
          origin + ": dumps[0]: size is not a whole number from 0 on");
    CHECK(problemOf(changed("/dumps/0/pins"_json_pointer, "all")) ==
          origin + ": dumps[0]: pins is not a list of strings");
    CHECK(problemOf(changed("/dumps/0/by_hand/~1a/low"_json_pointer, "low")) ==
          origin + ": dumps[0]: by_hand of /a: low is not a number, \"inf\" or \"-inf\"");
    CHECK(problemOf(changed("/dumps/0/said/~1a/role"_json_pointer, "star")) ==
          origin + ": dumps[0]: said of /a: role is \"star\"; available: activation, weight, bias, "
                   "unknown");
    CHECK_THAT(
        problemOf(changed("/shared/lower_plot"_json_pointer, "pie")),
        test::containsText(origin + ": shared: lower_plot is \"pie\"; available: curve, error"));
    CHECK(problemOf(changed("/layout/docks"_json_pointer, "0g")) ==
          origin + ": layout: docks is not a string of hexadecimal digits");
    CHECK(problemOf(changed("/dumps/1"_json_pointer, Json::object())) ==
          origin + ": dumps[1]: has no path");
}

TEST_CASE("dumps that are endless, doubled or nowhere to be opened are refused with their place")
{
    const auto dumps = [](std::size_t count, const std::string& beginning) {
        Json list = Json::array();
        for (std::size_t dump = 0; dump < count; ++dump)
            list.push_back({{"path", beginning + std::to_string(dump)}});
        return changed("/dumps"_json_pointer, list);
    };
    CHECK(problemOf(dumps(1000, "ssh://host/d")) == "none");
    CHECK(problemOf(dumps(1001, "ssh://host/d")) == origin + ": has more than 1000 dumps");
    Json doubled = Json::parse(dumps(3, "ssh://host/d"));
    doubled["dumps"][2] = doubled["dumps"][0];
    CHECK(problemOf(doubled.dump()) == origin + ": dumps[2]: is ssh://host/d0, as one before it");
    CHECK(problemOf(dumps(2, std::string(4095, 'x'))) == "none");
    CHECK(problemOf(dumps(1, std::string(4096, 'x'))) ==
          origin + ": dumps[0]: has a path of 4097 bytes; no system opens more than 4096");
    CHECK(problemOf(changed("/dumps/0/absolute"_json_pointer, std::string(100'000, 'x'))) ==
          origin + ": dumps[0]: has a path of 100000 bytes; no system opens more than 4096");
}

TEST_CASE("a calibrator or setting that there is not is refused with its place")
{
    const std::string place = origin + ": dumps[0]: decisions of /a: choice: ";
    CHECK(problemOf(changed("/dumps/0/decisions/~1a/choice/calibrator"_json_pointer, "dice"))
              .starts_with(place));
    CHECK(problemOf(changed("/dumps/0/decisions/~1a/choice/settings/bits"_json_pointer, "99"))
              .starts_with(place));
    CHECK(problemOf(changed("/dumps/0/decisions/~1a/choice"_json_pointer, nullptr)) ==
          origin + ": dumps[0]: decisions of /a: lacks its choice");
}

TEST_CASE("the same work: what is shown of it does not count, what is decided does")
{
    const SessionDocument session = test::someSession();
    SessionDocument other = session;
    other.shown = 0;
    other.dumps[0].selected = "/b";
    other.dumps[0].own.zooms.clear();
    other.dumps[0].identity.bytes = 0;
    other.layout = {};
    CHECK(isSameWork(session, other));
    other.dumps[0].own.decisions["/a"].remark = "another";
    CHECK_FALSE(isSameWork(session, other));
    other = session;
    other.shared.baseline.clear();
    CHECK_FALSE(isSameWork(session, other));
    other = session;
    other.dumps.pop_back();
    CHECK_FALSE(isSameWork(session, other));
}

namespace {

QStringList filesIn(const TemporaryFolder& folder)
{
    return QDir(QString::fromStdString(folder.path().string())).entryList(QDir::Files);
}

/// Files of this process grow no larger while it lives: as on a full disk.
struct FullDisk
{
    FullDisk()
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &former);
        const rlimit none{.rlim_cur = 16, .rlim_max = former.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &former); }
    rlimit former{};
};

}  // namespace

TEST_CASE("a written session is read again, and nothing else is left")
{
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("s.calsession"));
    writeSession({}, path);
    const SessionDocument session = test::someSession();
    writeSession(session, path);
    CHECK(readSession(path) == session);
    CHECK(filesIn(folder) == QStringList{"s.calsession"});
    CHECK(isSessionFile(path));
    CHECK_FALSE(isSessionFile("/dumps/calsession.h5"));
}

TEST_CASE("a full disk leaves the former session and says why")
{
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("s.calsession"));
    writeSession({}, path);
    {
        const FullDisk full;
        CHECK_THROWS_WITH(writeSession(test::someSession(), path),
                          path.toStdString() + " could not be written: File too large");
    }
    CHECK(readSession(path) == SessionDocument{});
    CHECK(filesIn(folder) == QStringList{"s.calsession"});
}

TEST_CASE("a folder that is not there or can't be written is named, with the reason")
{
    CHECK_THROWS_WITH(writeSession({}, "/nowhere/s.calsession"),
                      "/nowhere/s.calsession could not be written: No such file or directory");
    CHECK_THROWS_WITH(writeSession({}, "/proc/s.calsession"),
                      Catch::Matchers::StartsWith("/proc/s.calsession could not be written: "));
}

TEST_CASE("a session that can't be read is named, with the reason")
{
    CHECK_THROWS_WITH(readSession("/nowhere/s.calsession"),
                      "/nowhere/s.calsession could not be read: No such file or directory");
    const TemporaryFolder folder;
    test::writeBytes(folder.file("s.calsession"), "\x89HDF");
    CHECK_THROWS_WITH(readSession(QString::fromStdString(folder.file("s.calsession"))),
                      folder.file("s.calsession") +
                          ": is not valid JSON; it may be damaged or truncated");
}

TEST_CASE("what is too long, too deep or no file is not a session, and is told at once")
{
    const TemporaryFolder folder;
    const std::string path = folder.file("s.calsession");
    test::writeBytes(path, std::string(17'000'000, '['));
    CHECK_THROWS_WITH(readSession(QString::fromStdString(path)),
                      test::containsText("more than 16777216 bytes"));
    test::writeBytes(path, std::string(16'000'000, '['));
    CHECK_THROWS_WITH(readSession(QString::fromStdString(path)),
                      test::containsText("deeper than 64"));
    CHECK_THROWS_WITH(readSession("/dev/zero"), test::containsText("not a regular file"));
    REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    CHECK_THROWS_WITH(readSession(QString::fromStdString(folder.file("pipe"))),
                      test::containsText("not a regular file"));
}

}  // namespace session_document_test
