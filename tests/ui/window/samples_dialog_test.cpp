// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/samples_dialog.h"

#include "tests/support/catch.h"
#include "ui/document/edits.h"
#include "ui/queries/dump_requests.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"

#include <QTableView>
#include <QTest>

#include <memory>

namespace samples_dialog_test {

using namespace calibscope;
using test::containsText;

struct Window
{
    Window()
    {
        window->show();
        window->open(sampleDumpPath());
        REQUIRE(QTest::qWaitFor(
            [&] { return window->document().dumpState() == Document::DumpState::Open; }, 20000));
    }
    SamplesDialog& opened()
    {
        window->actions()["tensor.samples"].trigger();
        auto* dialog = window->findChild<SamplesDialog*>();
        REQUIRE(dialog);
        REQUIRE(QTest::qWaitFor([&] { return dialog->text().startsWith(QStringLiteral("Of ")); },
                                120000));
        return *dialog;
    }

    std::unique_ptr<MainWindow> window =
        std::make_unique<MainWindow>(MainWindowOptions{.keeping = Preferences::Keeping::Forget});
};

QStringList cells(const QTableView& table, int row)
{
    QStringList cells;
    for (int column = 0; column < table.model()->columnCount(); ++column)
        cells += table.model()->index(row, column).data().toString();
    return cells;
}

// The numbers are NumPy's: maxima of |x| by sample of all activations in the bundled sample.
TEST_CASE("samples that set ranges are listed with those ranges and what they are without them")
{
    Window test;
    SamplesDialog& dialog = test.opened();
    CHECK(dialog.text().toStdString() ==
          "Of 16 activations read, one sample alone sets the range of 16.");
    CHECK(cells(dialog.samples(), 0) ==
          QStringList{"3", "4", "1.11 ×", "1.15 ×", "5", "det.hardswish_81.tmp_0"});
    REQUIRE(dialog.ranges().model()->rowCount() == 6);  // two have its error alone
    CHECK(cells(dialog.ranges(), 0).front() == QStringLiteral("det.hardswish_81.tmp_0"));
    CHECK(cells(dialog.ranges(), 1).front() == QStringLiteral("conv2d_204.tmp_0"));
    // calib extremes --recipe rebellions-vision prints these, and NumPy has the same error.
    CHECK(cells(dialog.ranges(), 0).mid(5) ==
          QStringList{"0.03346", "0.03153", "0.6659", "3, [3, 344, 0, 1]"});
    // Another sample has other ranges; a row leads to its tensor.
    dialog.samples().setCurrentIndex(dialog.samples().model()->index(1, 0));
    CHECK(cells(dialog.ranges(), 0).front() == QStringLiteral("softmax_9.tmp_0"));
    CHECK(cells(dialog.samples(), 7) == QStringList{"4", "0", "1.00 ×", "1.00 ×", "1", ""});
    Q_EMIT dialog.ranges().activated(dialog.ranges().model()->index(2, 0));
    const Document& document = test.window->document();
    CHECK(document.selected() == placeOf(document.tensors(), "p2o.Add.235"));
}

TEST_CASE("samples that set ranges are found anew where an axis is another, and not of excluded "
          "tensors")
{
    Window test;
    Document& document = test.window->document();
    edits::setExcluded(document, {placeOf(document.tensors(), "relu_0.tmp_0")}, true);
    SamplesDialog& dialog = test.opened();
    CHECK_THAT(dialog.text().toStdString(), containsText("Of 15 activations read"));
    edits::understand(document, {placeOf(document.tensors(), "swish_11.tmp_0")},
                      {.batchAxis = LayoutOverride::noAxis});
    CHECK_THAT(dialog.text().toStdString(), containsText("Reading 1 of 14"));
    CHECK(dialog.samples().model()->rowCount() == 0);
    CHECK(QTest::qWaitFor([&] { return dialog.text().contains(QStringLiteral("Of 14")); }, 120000));
}

}  // namespace samples_dialog_test
