// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/scale_export.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/shown_window.h"
#include "tests/support/temporary_folder.h"
#include "ui/document/decisions.h"
#include "ui/document/outcome_rows.h"
#include "ui/window/message_controller.h"

#include <QComboBox>
#include <QPushButton>

#include <algorithm>

namespace scale_export_test {

using namespace calibscope;
using namespace calibscope::test;

bool waitForSentence(ShownWindow& test, const QString& begin)
{
    return QTest::qWaitFor(
        [&] { return test.window->messages().bar().sentence().startsWith(begin); }, patienceMs);
}

/// A candidate with a zero point for the selected tensor.
std::string affineOf(const Document& document)
{
    for (const OutcomeRow& row : rowsOf(document, document.selected()))
        if (row.candidate.choice.scheme.isAffine())
            return row.candidate.id;
    return {};
}

TEST_CASE("formats are those that calib lists as written; other texts have none")
{
    const std::vector<ScaleFormat> formats = scaleFormats(
        R"([{"id":"a","title":"A","suffix":"x","written":"yes","holds":"ranges"},
            {"id":"b","title":"B","suffix":"y","written":"no","holds":"values"}])");
    REQUIRE(formats.size() == 1);
    CHECK(formats.front().id == "a");
    CHECK(formats.front().title == "A");
    CHECK(formats.front().suffix == "x");
    CHECK(formats.front().holds == "ranges");
    CHECK(scaleFormats("calib: no").empty());
    CHECK(scaleFormats("{}").empty());
}

TEST_CASE("what was accepted leaves the window as a file of another tool")
{
    ShownWindow test;
    test.openSample();
    ScaleExport& exporting = test.window->scaleExport();
    exporting.ask();
    CHECK(test.window->messages().bar().sentence().startsWith("Nothing was accepted"));

    const int tensor = test.document().selected();
    const std::string name = test.document().selectedTensor()->name;
    REQUIRE(acceptRecipe(test.document(), {tensor}, {}).accepted == 1);
    exporting.ask();
    ScaleExportDialog* dialog = nullptr;
    REQUIRE(QTest::qWaitFor(
        [&] { return (dialog = test.window->findChild<ScaleExportDialog*>()) != nullptr; },
        patienceMs));
    CHECK(dialog->model().isEmpty());
    CHECK(dialog->formats().findData("tensorrt-cache") >= 0);
    CHECK(dialog->formats().findData("ncnn-table") >= 0);
    CHECK(dialog->formats().findData("ppq-weights") < 0);  // is read only
    dialog->formats().setCurrentIndex(dialog->formats().findData("tensorrt-ranges"));
    const ScaleFormat format = dialog->format();
    CHECK(format.id == "tensorrt-ranges");
    CHECK(format.suffix == "txt");
    REQUIRE(QTest::qWaitFor([&] { return dialog->report().startsWith("names"); }, patienceMs));
    CHECK(dialog->report().startsWith("names are the dump's"));
    dialog->reject();

    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("ranges.txt"));
    exporting.write(format, {}, path);
    REQUIRE(waitForSentence(test, "Scales written to " + path));
    CHECK(readBytes(path.toStdString()).starts_with(name + ": "));
    CHECK(test.window->messages().bar().sentence().startsWith("Scales written to " + path +
                                                              "; names are the dump's"));

    exporting.write(format, {}, "/no/such/folder/ranges.txt");
    REQUIRE(waitForSentence(test, "/no/such/folder/ranges.txt"));
    exporting.write(format, QString::fromStdString(folder.file("none.onnx")), path);
    REQUIRE(waitForSentence(test, QString::fromStdString(folder.file("none.onnx"))));

    REQUIRE(acceptCandidate(test.document(), {tensor}, affineOf(test.document())).accepted == 1);
    exporting.ask();
    REQUIRE(QTest::qWaitFor(
        [&] { return (dialog = test.window->findChild<ScaleExportDialog*>()) != nullptr; },
        patienceMs));
    // The formats before it can't carry zero points.
    REQUIRE(QTest::qWaitFor(
        [&] {
            return dialog->formats().currentIndex() > 0 && dialog->report().startsWith("names are");
        },
        patienceMs));
    CHECK(dialog->format().id == "ort-json");
    CHECK_FALSE(dialog->report().contains("--"));  // no options of calib
    dialog->formats().setCurrentIndex(dialog->formats().findData("tensorrt-ranges"));
    REQUIRE(QTest::qWaitFor([&] { return dialog->report().contains("zero point"); }, patienceMs));
    CHECK(dialog->report().startsWith("Can't be written: "));
    const auto buttons = dialog->findChildren<QPushButton*>();
    const auto exports = std::ranges::find(buttons, QString("&Export..."), &QPushButton::text);
    REQUIRE(exports != buttons.end());
    CHECK_FALSE((*exports)->isEnabled());
    dialog->formats().setCurrentIndex(dialog->formats().findData("ort-overrides"));
    REQUIRE(QTest::qWaitFor([&] { return dialog->report().startsWith("names are"); }, patienceMs));
    CHECK((*exports)->isEnabled());
    dialog->reject();
}

}  // namespace scale_export_test
