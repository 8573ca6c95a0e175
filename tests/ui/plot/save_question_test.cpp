#include "ui/plot/save_question.h"

#include "tests/support/catch.h"

#include <QApplication>
#include <QFileDialog>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>

using namespace calibscope;

namespace {

const QStringList kinds = {"CSV (*.csv)", "JSON (*.json)"};

/// What is answered where the user does that in the dialog.
QString answered(const QString& proposed, const std::function<void(QFileDialog&)>& doThat)
{
    QTimer::singleShot(0, [&doThat] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        REQUIRE(dialog);
        doThat(*dialog);
    });
    return askWhereToSave(nullptr, "Save", proposed, kinds);
}

void accept(QFileDialog& dialog)
{
    static_cast<QDialog&>(dialog).accept();
}

}  // namespace

TEST_CASE("who accepts what is proposed gets that file")
{
    const QTemporaryDir folder;
    CHECK(answered(folder.filePath("table.csv"), accept) == folder.filePath("table.csv"));
}

TEST_CASE("the name takes the suffix of another kind that is chosen")
{
    const QTemporaryDir folder;
    CHECK(answered(folder.filePath("my.table.csv"), [](QFileDialog& dialog) {
              Q_EMIT dialog.filterSelected(kinds[1]);
              accept(dialog);
          }) == folder.filePath("my.table.json"));
}

TEST_CASE("who leaves the dialog writes nothing")
{
    const QTemporaryDir folder;
    CHECK(answered(folder.filePath("table.csv"), [](QFileDialog& dialog) {
              dialog.reject();
          }).isEmpty());
}
