// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_job.h"

#include "ui/document/message_log.h"
#include "ui/widgets/message_bar.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/report/answering_engine.h"

#include <QSemaphore>

#include <filesystem>

namespace report_job_test {

using namespace calibscope;
using namespace calibscope::test;
namespace fs = std::filesystem;

constexpr int patienceMs = 20000;

std::unique_ptr<Engine> answering()
{
    return std::make_unique<AnsweringEngine>();
}

ReportOptions optionsFor(const std::string& folder)
{
    ReportOptions options{.files = {"a.h5"}, .folder = folder, .recipes = {"moffett-cnn"}};
    options.formats = {report::Format::Html, report::Format::Csv};
    return options;
}

struct Run
{
    MessageBar bar;
    MessageLog log;
    QSemaphore mayBegin{1};
    ReportRun run{bar, log, nullptr, [this] {
                      mayBegin.acquire();
                      return std::make_unique<AnsweringEngine>();
                  }};
    QSignalSpy ended{&run, &ReportRun::ended};

    void write(const std::string& folder)
    {
        ReportOptions options{.files = {"a.h5"}, .folder = folder, .recipes = {"moffett-cnn"}};
        options.formats = {report::Format::Csv};
        run.start(options);
    }
    [[nodiscard]] QPushButton* button(const QString& text) const
    {
        for (auto* button : bar.findChildren<QPushButton*>())
            if (button->text().remove(u'&') == text)
                return button;
        return nullptr;
    }
};

TEST_CASE("a job writes a report beside the event loop and tells where it is")
{
    const TemporaryFolder place;
    ReportJob job(nullptr, answering);
    QSignalSpy written(&job, &ReportJob::written);
    QSignalSpy progressed(&job, &ReportJob::progressed);
    job.start(optionsFor(place.file("report")));
    CHECK(job.isRunning());
    REQUIRE(written.wait(patienceMs));
    CHECK_FALSE(job.isRunning());
    CHECK(written[0][0].toString() == QString::fromStdString(place.file("report")));
    CHECK(written[0][1].toInt() == 2);  // one kills the engine, one lacks a filter
    CHECK_FALSE(progressed.isEmpty());
    CHECK(fs::exists(place.file("report") + "/index.html"));
}

TEST_CASE("a job that is cancelled leaves nothing, whenever that is")
{
    const TemporaryFolder place;
    QSemaphore mayBegin;  // or all could be written before this thread goes on
    ReportJob job(nullptr, [&mayBegin] {
        mayBegin.acquire();
        return answering();
    });
    QSignalSpy cancelled(&job, &ReportJob::cancelled);
    SECTION("at once")
    {
        job.start(optionsFor(place.file("report")));
        job.cancel();
        mayBegin.release();
    }
    SECTION("in the middle")
    {
        mayBegin.release();
        // The job waits for it, however slow this thread is.
        QObject::connect(&job, &ReportJob::progressed, &job, &ReportJob::cancel,
                         Qt::BlockingQueuedConnection);
        job.start(optionsFor(place.file("report")));
    }
    REQUIRE(cancelled.wait(patienceMs));
    CHECK(fs::is_empty(place.path()));
}

TEST_CASE("a job that can't write says where and why, and leaves nothing")
{
    const TemporaryFolder place;
    writeBytes(place.file("file"), "no folder");
    ReportJob job(nullptr, answering);
    QSignalSpy failed(&job, &ReportJob::failed);
    job.start(optionsFor(place.file("file/report")));
    REQUIRE(failed.wait(patienceMs));
    CHECK(failed[0][0].toString().contains("file/report"));
    CHECK(failed[0][0].toString().contains("Not a directory"));
    CHECK(std::distance(fs::directory_iterator(place.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a job that goes away ends its report first")
{
    const TemporaryFolder place;
    {
        ReportJob job(nullptr, answering);
        job.start(optionsFor(place.file("report")));
    }
    CHECK((fs::is_empty(place.path()) || fs::exists(place.file("report") + "/summary.json")));
}

TEST_CASE("the bar offers to cancel while a report is written, then says where it is")
{
    const TemporaryFolder place;
    Run test;
    test.write(place.file("report"));
    CHECK(test.button("Cancel"));
    REQUIRE(test.ended.wait(20000));
    CHECK(test.bar.sentence().contains(QString::fromStdString(place.file("report"))));
    CHECK(test.bar.sentence().contains("problem"));
    REQUIRE(test.button("Copy path"));
    CHECK(test.button("Open folder"));
    test.button("Copy path")->click();
    CHECK(QGuiApplication::clipboard()->text() == QString::fromStdString(place.file("report")));
}

TEST_CASE("the bar's button gives a report up")
{
    const TemporaryFolder place;
    Run test;
    test.mayBegin.acquire();  // or all could be written before the click
    test.write(place.file("report"));
    test.button("Cancel")->click();
    test.mayBegin.release();
    REQUIRE(test.ended.wait(20000));
    CHECK(test.bar.sentence().contains("cancelled"));
    CHECK(std::filesystem::is_empty(place.path()));
}

TEST_CASE("the bar says why no report was written")
{
    Run test;
    test.write("/nowhere/deep/report");
    REQUIRE(test.ended.wait(20000));
    CHECK(test.bar.sentence().contains("/nowhere/deep/report"));
    CHECK(test.log.text().contains("No report was written"));
}

}  // namespace report_job_test
