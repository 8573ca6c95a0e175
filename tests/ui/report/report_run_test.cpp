#include "ui/report/report_run.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/report/answering_engine.h"
#include "ui/document/message_log.h"
#include "ui/widgets/message_bar.h"

#include <QSemaphore>

#include <filesystem>

using namespace calibscope;
using namespace calibscope::test;

namespace {

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
            if (button->text() == text)
                return button;
        return nullptr;
    }
};

}  // namespace

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
