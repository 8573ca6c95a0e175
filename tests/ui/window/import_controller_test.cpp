#include "ui/window/import_controller.h"

#include "core/base/whole_file.h"
#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "tests/support/temporary_folder.h"
#include "ui/window/import_dialog.h"

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("ranges that can be drawn are those of one tensor, with a width")
{
    protocol::ImportedFile file{.format = "tool"};
    file.entries = {
        {.name = "a", .line = 3, .tensor = 0, .range = Range{-2.0, 2.0}, .isSymmetric = true},
        {.name = "channels", .tensor = 1, .channels = 4, .range = Range{-1.0, 1.0}},
        {.name = "each",
         .tensor = 3,
         .channels = 2,
         .range = Range{-1.0, 1.0},
         .isSymmetric = true,
         .channelRanges = {{-1.0, 1.0}, {-0.5, 0.5}}},
        {.name = "zero", .tensor = 2, .range = Range{0.0, 0.0}},
        {.name = "none", .tensor = 2},
        {.name = "unknown", .range = Range{-1.0, 1.0}}};
    file.entries[0].findings = {{"warning", "wide"}};
    const auto ranges = usableRanges(file, "/x/a.cache", {"/a", "/b", "/c", "/d"});
    REQUIRE(ranges.size() == 2);
    CHECK(ranges["/d"].channels == std::vector<Range>{{-1.0, 1.0}, {-0.5, 0.5}});
    CHECK(ranges["/a"].channels.empty());
    CHECK(ranges["/a"].source == "tool, a.cache, line 3");
    CHECK(ranges["/a"].findings == std::vector<std::string>{"warning: wide"});
    CHECK(ranges["/a"].isSymmetric);
}

TEST_CASE("scales of another tool become references of the open dump's tensors")
{
    CHECK(ImportController::takes("/x/model.CACHE"));
    CHECK_FALSE(ImportController::takes("/x/dump.h5"));
    ShownWindow test;
    test.openSample();
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "ranges.txt").string();
    const std::string name = test.document().selectedTensor()->name;
    writeWholeFile(path, name + ": 2\nother: 1\n");
    test.window->imports().open(QString::fromStdString(path));
    ImportDialog* dialog = nullptr;
    REQUIRE(QTest::qWaitFor(
        [&] { return (dialog = test.window->findChild<ImportDialog*>()) != nullptr; }, patienceMs));
    dialog->accept();
    const auto isThere = [&] {
        for (const OutcomeRow& row : test.document().questions().rows())
            if (row.candidate.id == importedId && row.hasResult())
                return true;
        return false;
    };
    REQUIRE(QTest::qWaitFor(isThere, patienceMs));
    CHECK(test.document().workbench().imported.size() == 1);
}
