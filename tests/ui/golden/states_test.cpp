// SPDX-License-Identifier: GPL-3.0-or-later
// The window in states of its own: no file, a broken one, a tensor that can't be drawn.
#include "tests/support/catch.h"
#include "tests/support/golden_window.h"
#include "tests/support/h5_file.h"
#include "tests/support/view_samples.h"
#include "ui/charts/histogram_content.h"
#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/file_controller.h"
#include "ui/window/message_controller.h"

#include <QFile>
#include <QTest>

#include <limits>

namespace states_test {

using namespace calibscope;
using namespace calibscope::test;

/// A picture of the window with a file of these bytes.
void checkBytes(const QString& name, const QString& file, const QByteArray& bytes,
                GoldenLooks looks = GoldenLooks::Light)
{
    const auto take = [&](const GoldenVariant& variant) {
        GoldenWindow window(variant, QSize(1000, 640));
        const QString source = window.file("source");
        QFile written(source);
        REQUIRE(written.open(QIODevice::WriteOnly));
        written.write(bytes);
        written.close();
        window.open(source, file);
        CHECK(window.document().dumpState() == Document::DumpState::Failed);
        return window.take();
    };
    checkGolden(name, take, looks);
}

/// A picture of a tensor that is browsed.
void checkTensor(const QString& name, const H5File& file, const std::string& tensor)
{
    checkGolden(name, [&](const GoldenVariant& variant) {
        GoldenWindow window(variant);
        window.open(QString::fromStdString(file.path()), "dump.h5");
        window.show(tensor, Workspace::Browse);
        return window.take();
    });
}

/// A page while a large tensor is read, its first batch is there: 19 % of it, without a rate, which
/// would differ each time.
struct ReadPage : TestedDocument
{
    ReadPage()
    {
        openLargeDump();
        FakeEngine::answer(waited.views, answerTo(waited.views.front().request, bellValues()));
        Q_EMIT waited.progressed(waited.lastId, 19, 100, "values");
    }
    BrowsePage page{document};
};

void checkLarge(const QString& name, const std::function<void(ReadPage&)>& arrange)
{
    checkGolden(name, [&](const GoldenVariant& variant) {
        applyTheme(variant);
        ReadPage test;
        arrange(test);
        return takeWidget(test.page, variant, QSize(720, 560));
    });
}

/// The bundled sample as it is in the file.
QByteArray sampleBytes()
{
    QFile sample(sampleDumpPath());
    REQUIRE(sample.open(QIODevice::ReadOnly));
    return sample.readAll();
}

/// A page whose engine answers as it is told.
void checkReading(const QString& name, const std::function<void(TestedDocument&)>& answer)
{
    checkGolden(name, [&](const GoldenVariant& variant) {
        TestedDocument test;
        BrowsePage page(test.document);
        test.openDump();
        answer(test);
        return takeWidget(page, variant, QSize(640, 480));
    });
}

TEST_CASE("the first start looks as it did", "[golden]")
{
    checkGolden("state-first-run", [](const GoldenVariant& variant) {
        return GoldenWindow(variant, QSize(1000, 640)).take();
    });
}

TEST_CASE("what is not an HDF5 file, or half of one, looks as it did", "[golden]")
{
    checkBytes("state-zip", "model.keras", QByteArray("PK\x03\x04") + QByteArray(200, 'x'),
               GoldenLooks::LightAndDark);
    checkBytes("state-text", "notes.h5", QByteArray(300, 'a'));
    checkBytes("state-breaks-off", "half.h5", sampleBytes().left(sampleBytes().size() / 2));
}

TEST_CASE("a tensor whose filter is missing looks as it did", "[golden]")
{
    H5File file;
    file.write("activations/packed", {4}, std::vector<float>{1, 2, 3, 4},
               {.chunk = {2}, .unknownFilter = 32015});
    file.write("activations/plain", {4}, std::vector<float>{1, 2, 3, 4});
    checkTensor("state-missing-filter", file, "/activations/packed");
}

TEST_CASE("NaN alone, one value alone and zeros alone look as they did", "[golden]")
{
    H5File file;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    file.write("activations/nan", {3}, std::vector<float>{nan, nan, nan});
    file.write("activations/same", {3}, std::vector<float>{2, 2, 2});
    file.write("activations/zero", {3}, std::vector<float>{0, 0, 0});
    checkTensor("state-all-nan", file, "/activations/nan");
    checkTensor("state-constant", file, "/activations/same");
    checkTensor("state-all-zero", file, "/activations/zero");
}

TEST_CASE("a layout that is a guess looks as it did", "[golden]")
{
    H5File file;
    std::vector<float> values(4 * 6);
    for (std::size_t place = 0; place < values.size(); ++place)
        values[place] = static_cast<float>(place % 7) - 3.0F;
    file.write("mystery", {4, 6}, values);
    checkTensor("state-guess", file, "/mystery");
}

TEST_CASE("a reading that was stopped or failed looks as it did", "[golden]")
{
    checkReading("state-stopped",
                 [](TestedDocument& test) { test.document.questions().stopReading(); });
    checkReading("state-failed", [](TestedDocument& test) {
        FakeEngine::fail(test.waited.views, "/a: chunk 3 does not match its checksum");
    });
}

TEST_CASE("a large tensor that is being read looks as it did", "[golden]")
{
    checkLarge("state-reading", [](ReadPage& test) {
        REQUIRE(QTest::qWaitFor([&] { return test.page.histogram().hasTable(); }));
    });
}

TEST_CASE("a large tensor whose reading was stopped looks as it did", "[golden]")
{
    checkLarge("state-stopped-early", [](ReadPage& test) {
        test.document.questions().stopReading();
        CHECK(test.page.stoppedBar().sentence().startsWith("Stopped after batch 3 of 16."));
    });
}

TEST_CASE("a file that has changed on disk looks as it did", "[golden]")
{
    H5File file;
    file.write("activations/x", {4}, std::vector<float>{1, 2, 3, 4});
    checkGolden("state-file-changed", [&](const GoldenVariant& variant) {
        GoldenWindow window(variant);
        window.open(QString::fromStdString(file.path()), "dump.h5");
        window.show("/activations/x", Workspace::Browse);
        QFile changed(window.file("dump.h5"));
        REQUIRE(changed.open(QIODevice::Append));
        changed.write("more");
        changed.close();
        REQUIRE(
            QTest::qWaitFor([&] { return window.window().messages().bar().isVisible(); }, 20000));
        return window.take();
    });
}

TEST_CASE("decided tensors of two dumps look as they did", "[golden]")
{
    checkGolden("decided", [](const GoldenVariant& variant) {
        GoldenWindow window(variant, QSize(1100, 700));
        window.open(sampleDumpPath(), "first.h5");
        window.open(sampleDumpPath(), "second.h5");
        window.show("swish_13.tmp_0", Workspace::Browse);
        Document& document = window.document();
        (void)acceptCandidate(document, {document.selected()}, "entropy-open",
                              "keeps the tail out");
        (void)acceptRecipe(document, {document.selected() + 1, document.selected() + 2});
        window.settle();
        return window.take();
    });
}

}  // namespace states_test
