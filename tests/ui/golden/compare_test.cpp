// SPDX-License-Identifier: GPL-3.0-or-later
// Two dumps in the window, compared with pictures of them.
#include "tests/support/catch.h"
#include "tests/support/golden_window.h"
#include "tests/support/two_dumps.h"
#include "ui/document/compare_edits.h"
#include "ui/window/compare_controller.h"

#include <QDateTime>
#include <QFile>
#include <QTest>
#include <QTimeZone>

namespace golden_compare_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr QSize pageSize(1160, 720);

/// A copy under that name, always of the same time.
void copyTo(const std::string& source, const QString& name)
{
    QFile::remove(name);
    REQUIRE(QFile::copy(QString::fromStdString(source), name));
    QFile copy(name);
    REQUIRE(copy.open(QIODevice::ReadWrite));
    REQUIRE(copy.setFileTime(QDateTime(QDate(2026, 1, 2), QTime(3, 4), QTimeZone::utc()),
                             QFileDevice::FileModificationTime));
}

/// A picture of the page that compares two dumps, after `arrange`.
void checkCompared(const QString& name, const std::string& a, const std::string& b,
                   const std::function<void(GoldenWindow&)>& arrange)
{
    checkGolden(name, [&](const GoldenVariant& variant) {
        GoldenWindow window(variant, pageSize);
        copyTo(a, window.file("before.h5"));
        window.window().open(window.file("before.h5"));
        window.settle();
        if (!b.empty()) {
            copyTo(b, window.file("after.h5"));
            window.window().comparing().open(window.file("after.h5"));
        }
        window.settle();
        arrange(window);
        window.settle();
        return window.take();
    });
}

TEST_CASE("two recordings over each other look as they did", "[golden]")
{
    const TwoDumps dumps;
    checkCompared("page-compare", dumps.a.path(), dumps.b.path(),
                  [](GoldenWindow& window) { window.show("conv2", Workspace::Compare); });
}

TEST_CASE("two recordings side by side look as they did", "[golden]")
{
    const TwoDumps dumps;
    checkCompared("page-compare-sides", dumps.a.path(), dumps.b.path(), [](GoldenWindow& window) {
        setCompareMode(window.document(), CompareMode::SideBySide);
        window.show("conv2", Workspace::Compare);
    });
}

TEST_CASE("the difference of two recordings looks as it did", "[golden]")
{
    const TwoDumps dumps;
    checkCompared("page-compare-difference", dumps.a.path(), dumps.b.path(),
                  [](GoldenWindow& window) {
                      setCompareMode(window.document(), CompareMode::Difference);
                      window.show("conv2", Workspace::Compare);
                  });
}

TEST_CASE("a dump compared with itself looks as it did", "[golden]")
{
    const TwoDumps dumps;
    checkCompared("state-no-drift", dumps.a.path(), dumps.a.path(),
                  [](GoldenWindow& window) { window.show("conv1", Workspace::Compare); });
}

TEST_CASE("no second dump, and one that is none, look as they did", "[golden]")
{
    const TwoDumps dumps;
    checkCompared("state-no-second", dumps.a.path(), {},
                  [](GoldenWindow& window) { window.show("conv1", Workspace::Compare); });
    const TemporaryFolder folder;
    QFile text(QString::fromStdString(folder.file("notes.h5")));
    REQUIRE(text.open(QIODevice::WriteOnly));
    text.write(QByteArray(300, 'a'));
    text.close();
    checkCompared("state-second-fails", dumps.a.path(), folder.file("notes.h5"),
                  [](GoldenWindow& window) { window.show("conv1", Workspace::Compare); });
}

TEST_CASE("dumps of different models look as they did", "[golden]")
{
    const TwoDumps dumps;
    H5File other;
    other.write("/weights/embedding", {32, 4}, std::vector<float>(128, 0.5F));
    checkCompared("state-nothing-matched", dumps.a.path(), other.path(),
                  [](GoldenWindow& window) { window.show("conv1", Workspace::Compare); });
}

}  // namespace golden_compare_test
