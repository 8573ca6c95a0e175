// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs of the window, compared with pictures of them.
#include "tests/support/catch.h"
#include "tests/support/golden_window.h"
#include "ui/document/edits.h"
#include "ui/report/report_dialog.h"
#include "ui/window/file_controller.h"
#include "ui/window/history_dialog.h"

namespace dialogs_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("the dialog of a report looks as it did", "[golden]")
{
    checkGolden("dialog-report", [](const GoldenVariant& variant) {
        GoldenWindow window(variant);
        window.open(sampleDumpPath(), "sample.h5");
        window.show("batch_norm_3.tmp_2", Workspace::Browse);
        ReportDialog dialog(reportSubject(window.document(), {0, 1, 2}));
        dialog.setFolder("/reports/sample-report");
        return takeWidget(dialog, variant, dialog.sizeHint());
    });
}

TEST_CASE("the history of steps looks as it did", "[golden]")
{
    checkGolden("dialog-history", [](const GoldenVariant& variant) {
        GoldenWindow window(variant);
        window.open(sampleDumpPath(), "sample.h5");
        window.show("batch_norm_3.tmp_2", Workspace::Browse);
        edits::chooseRecipe(window.document(), "moffett-cnn");
        edits::setTicked(window.document(), "fixed", true);
        edits::setManualRange(window.document(), 1.5, true);
        window.document().undo();
        HistoryDialog dialog(window.document());
        return takeWidget(dialog, variant, QSize(360, 260));
    });
}

}  // namespace dialogs_test
