// SPDX-License-Identifier: GPL-3.0-or-later
// calibscope report and snapshot of dumps on other machines, behind a stand-in of ssh.
#include "tests/ssh/fake_ssh.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "ui/document/session_document.h"

#include <QString>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace far_report_test {

using namespace calibscope;
using namespace calibscope::test;

namespace fs = std::filesystem;

const std::string address = "ssh://farhost" + sampleDump;

/// Settings of the test's own, and a folder for what is written.
class OwnSettings
{
public:
    OwnSettings()
    {
        qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(m_folder.file("config")));
    }
    ~OwnSettings()
    {
        qunsetenv("XDG_CONFIG_HOME");
        qunsetenv("CALIBSCOPE_REMOTE_COMMAND");
    }
    OwnSettings(const OwnSettings&) = delete;
    OwnSettings& operator=(const OwnSettings&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name); }
    static void setCommand(const std::string& command)
    {
        qputenv("CALIBSCOPE_REMOTE_COMMAND", QByteArray::fromStdString(command));
    }

private:
    TemporaryFolder m_folder;
};

ProgramRun report(const std::string& file, const std::string& folder,
                  const std::vector<std::string>& further = {})
{
    std::vector<std::string> words{"report", file, "-o", folder, "--format", "html,csv,json"};
    words.insert(words.end(), further.begin(), further.end());
    return runProgram("calibscope", words);
}

std::set<std::string> filesIn(const std::string& folder)
{
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            names.insert(fs::relative(entry.path(), folder).string());
    return names;
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

std::size_t callsOf(const FakeSsh& ssh)
{
    return static_cast<std::size_t>(std::ranges::count(ssh.calls(), '\n'));
}

TEST_CASE("the report of a dump on another machine is that of the same file here, but for its name")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    const std::vector<std::string> some{"--tensor", "conv2d_1*", "--tensor", "hardswish*"};
    const ProgramRun far = report(address, settings.file("far"), some);
    CHECK(far.errors.empty());
    REQUIRE(far.exitCode == 0);
    CHECK(callsOf(ssh) == 1);
    CHECK_THAT(ssh.calls(), containsText("-- farhost calib serve --idle 300\n"));
    const ProgramRun here = report(sampleDump, settings.file("here"), some);
    REQUIRE(here.exitCode == 0);
    const std::set<std::string> names = filesIn(settings.file("here"));
    CHECK(names.contains("index.html"));
    REQUIRE(filesIn(settings.file("far")) == names);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(replaced(readBytes(settings.file("far") + "/" + name), address, sampleDump) ==
              readBytes(settings.file("here") + "/" + name));
    }
    CHECK_THAT(readBytes(settings.file("far") + "/summary.json"), containsText(address));
}

TEST_CASE("gates hold for dumps on other machines, too")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    const ProgramRun run = report(
        address, settings.file("out"),
        {"--tensor", "conv2d_10.w_0", "--recipe", "rebellions-vision", "--fail-if", "sqnr<99"});
    INFO(run.errors);
    CHECK(run.exitCode == 1);
    CHECK_THAT(run.errors, containsText(address + ": conv2d_10.w_0"));
}

TEST_CASE("failures of the connection are told as in the window, with exit code 3")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    const auto fails = [&](const std::string& file, const std::string& sentence) {
        const ProgramRun run =
            report(file, settings.file("out"), {"--overwrite", "--tensor", "conv2d_10.w_0"});
        CHECK(run.exitCode == 3);
        CHECK_THAT(run.errors, containsText("calibscope: " + sentence));
    };
    fails("ssh://unreachable/a.h5",
          "The connection to unreachable could not be made. Its last output: ssh: no such host");
    fails("ssh://farhost/nowhere.h5", "");
    OwnSettings::setCommand("/nowhere/calib");
    fails(address, "There is no program /nowhere/calib on farhost");
    OwnSettings::setCommand("printf '\\0calibscope-engine 3\\n'; cat >/dev/null #");
    fails(address,
          "The engine on farhost speaks protocol 3, this window 2; update Calibscope here.");
}

TEST_CASE("addresses that are none, of a tensor or of a session are errors of the command line")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    const auto refuses = [&](const std::string& file, const std::string& sentence) {
        const ProgramRun run = report(file, settings.file("out"));
        CHECK(run.exitCode == 2);
        CHECK_THAT(run.errors, containsText(sentence));
        CHECK_FALSE(fs::exists(settings.file("out")));
    };
    refuses("ssh://-oProxyCommand=x/a.h5", "begins with \"-\"");
    refuses(address + "::conv1", "--tensor");
    refuses("ssh://farhost/a.calsession", "copy it here");
    CHECK(ssh.calls().empty());
}

TEST_CASE("a session connects to nothing by itself, in reports and snapshots neither")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    const std::string path = settings.file("far.calsession");
    SessionDocument session;
    session.dumps.push_back({.identity = {.path = address}});
    writeSession(session, QString::fromStdString(path));
    const ProgramRun reported = report(path, settings.file("out"));
    CHECK(reported.exitCode == 3);
    CHECK_THAT(reported.errors, containsText("farhost was not connected to"));
    const ProgramRun shown =
        runProgram("calibscope", {"snapshot", "--session", path, "-o", settings.file("a.png")});
    CHECK(shown.exitCode == 2);
    CHECK_THAT(shown.errors, containsText("connects to nothing by itself"));
    CHECK(ssh.calls().empty());
}

TEST_CASE("a machine that is lost in the middle is tried once more, not at each of the tensors")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    // 60 KB: the list of tensors is through, the first of them is not.
    const std::string once = quoted(settings.file("once"));
    OwnSettings::setCommand("if mkdir " + once + " 2>/dev/null; then mkfifo " + once +
                            "/f; exec 3<&0; " + calibProgram + " serve <&3 >" + once +
                            "/f & dd bs=1 count=60000 <" + once +
                            "/f 2>/dev/null; echo 'Timeout, server not responding.' >&2; fi; "
                            "exit 255 #");
    const ProgramRun run = report(address, settings.file("out"), {"--tensor", "conv2d_1*"});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("The connection to farhost was lost while it worked on"));
    CHECK_THAT(run.errors, containsText("The connection to farhost could not be made."));
    CHECK(callsOf(ssh) == 2);
}

TEST_CASE("a line on which nothing comes ends a report and a picture with a sentence")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    // The last stops after 60 KB: the list of tensors is through, the first of them is not.
    const std::string pipe = quoted(settings.file("pipe"));
    const std::string thenSilent = "mkfifo " + pipe + "-$$; exec 3<&0; " + calibProgram +
                                   " serve <&3 >" + pipe + "-$$ & dd bs=1 count=60000 <" + pipe +
                                   "-$$ 2>/dev/null; sleep 20 #";
    for (const std::string& line :
         {std::string("sleep 20 #"), std::string("exec >&-; sleep 20 #"),
          std::string("yes flooded >&2 #"), std::string("printf '\\0\\0\\0\\177'; sleep 20 #"),
          thenSilent}) {
        INFO(line);
        OwnSettings::setCommand(line);
        const auto start = std::chrono::steady_clock::now();
        for (const ProgramRun& run :
             {report(address, settings.file("out"),
                     {"--timeout", "1", "--tensor", "conv2d_1*", "--overwrite"}),
              runProgram("calibscope",
                         {"snapshot", address, "--timeout", "1", "-o", settings.file("a.png")})}) {
            CHECK(run.exitCode == 3);
            CHECK_THAT(run.errors, containsText("Nothing has come from farhost for 1 s") &&
                                       containsText("--timeout"));
        }
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
    }
}

TEST_CASE("a picture of a dump on another machine")
{
    const FakeSsh ssh;
    const OwnSettings settings;
    const ProgramRun run =
        runProgram("calibscope", {"snapshot", address, "-o", settings.file("a.png")});
    INFO(run.errors);
    CHECK(run.exitCode == 0);
    CHECK(fs::file_size(settings.file("a.png")) > 10000);
    const ProgramRun failed = runProgram(
        "calibscope", {"snapshot", "ssh://unreachable/a.h5", "-o", settings.file("b.png")});
    CHECK(failed.exitCode == 3);
    CHECK_THAT(failed.errors, containsText("The connection to unreachable could not be made."));
    CHECK(runProgram("calibscope", {"snapshot", "ssh://a;b/a.h5", "-o", settings.file("c.png")})
              .exitCode == 2);
}

TEST_CASE("a real sshd: a report is that of the same file here, and failures have their sentences",
          "[.sshd]")
{
    const OwnSettings settings;
    OwnSettings::setCommand(qEnvironmentVariable("CALIBSCOPE_FAR_CALIB").toStdString());
    const std::string sample = qEnvironmentVariable("CALIBSCOPE_FAR_SAMPLE").toStdString();
    const std::vector<std::string> some{"--tensor", "conv2d_1*"};
    const ProgramRun far = report("ssh://good" + sample, settings.file("far"), some);
    INFO(far.errors);
    REQUIRE(far.exitCode == 0);
    REQUIRE(report(sample, settings.file("here"), some).exitCode == 0);
    const std::set<std::string> names = filesIn(settings.file("here"));
    REQUIRE(filesIn(settings.file("far")) == names);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(replaced(readBytes(settings.file("far") + "/" + name), "ssh://good" + sample,
                       sample) == readBytes(settings.file("here") + "/" + name));
    }
    const auto fails = [&](const std::string& host, const std::string& sentence) {
        const ProgramRun run =
            report("ssh://" + host + sample, settings.file("out"), {"--overwrite"});
        CHECK(run.exitCode == 3);
        CHECK_THAT(run.errors, containsText(sentence));
    };
    fails("nokey", "Permission denied");
    fails("strangehost", "Host key verification failed");
    fails("wrongport", "The connection to wrongport could not be made");
    OwnSettings::setCommand("/nowhere/calib");
    fails("good", "There is no program /nowhere/calib on good");
}

}  // namespace far_report_test
