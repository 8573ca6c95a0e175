// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves a plot: files and the clipboard.
#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/small_files.h"
#include "ui/charts/histogram_content.h"
#include "ui/plot/export_dialog.h"
#include "ui/plot/picture.h"
#include "ui/plot/plot_table.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMimeData>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

namespace export_dialog_test {

using namespace calibscope;
using namespace calibscope::test;

std::unique_ptr<HistogramContent> sample()
{
    auto content = std::make_unique<HistogramContent>();
    content->setHistogram(tailHistogram(4.0));
    content->setThresholds({markAt("entropy", 1.5, true)});
    return content;
}

PictureSettings settings()
{
    return {.size = QSize(600, 300), .title = "conv1", .footer = "sample.h5"};
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

TEST_CASE("a vector picture holds shapes and texts, and no pixels")
{
    const QByteArray svg = renderSvg(*sample(), settings());
    CHECK(svg.contains("<svg"));
    CHECK(svg.contains("conv1"));
    CHECK(svg.contains("sample.h5"));
    CHECK_FALSE(svg.contains("<image"));
    const QByteArray pdf = renderPdf(*sample(), settings());
    CHECK(pdf.startsWith("%PDF"));
    CHECK_FALSE(pdf.contains("/Subtype /Image"));
}

TEST_CASE("a picture's format is that of the file's name")
{
    const QTemporaryDir folder;
    for (const char* name : {"a.png", "a.svg", "a.PDF"})
        saveContent(*sample(), settings(), folder.filePath(QString::fromLatin1(name)));
    CHECK(bytesOf(folder.filePath("a.png")).startsWith("\x89PNG"));
    CHECK(bytesOf(folder.filePath("a.svg")).contains("<svg"));
    CHECK(bytesOf(folder.filePath("a.PDF")).startsWith("%PDF"));
    CHECK_THROWS_AS(saveContent(*sample(), settings(), folder.filePath("a.bmp")), Error);
    CHECK_THROWS_AS(saveContent(*sample(), settings(), "/no/such/folder/a.svg"), Error);
}

TEST_CASE("a picture that does not fit on the disk is told with path, reason and free space")
{
    const QTemporaryDir folder;
    for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        const SmallFiles full(500);
        CHECK_THROWS_WITH(saveContent(*sample(), settings(), path),
                          containsText(path.toStdString() + ": File too large; ") &&
                              containsText(" are free there"));
    }
    CHECK(QDir(folder.path()).isEmpty());
}

TEST_CASE("the export dialog stays open with what went wrong, an older file is left as it was")
{
    const auto content = sample();
    ExportDialog dialog(*content, settings());
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.png");
    REQUIRE(dialog.save(path));
    const QByteArray before = bytesOf(path);
    {
        const SmallFiles full(500);
        CHECK_FALSE(dialog.save(path));
    }
    CHECK(bytesOf(path) == before);
    const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
    CHECK(std::ranges::any_of(labels, [](const QLabel* label) {
        return !label->isHidden() && label->text().contains("File too large");
    }));
    CHECK_FALSE(dialog.save(path + "/below.png"));
}

TEST_CASE("a copied picture is there as pixels and as vectors")
{
    const auto mime = pictureMime(*sample(), settings());
    CHECK(mime->imageData().value<QImage>().size() == QSize(1200, 600));
    CHECK(mime->data("image/svg+xml").contains("<svg"));
}

TEST_CASE("copied numbers are those of the bins that are shown")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 4.0, {5, 0, 7, 1}));
    const auto mime = tableMime(content.table({1.1, 2.5}).value());
    const QStringList lines = mime->text().split(u'\n', Qt::SkipEmptyParts);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].startsWith("from\tto\tcount"));
    CHECK(lines[1].startsWith("1\t2\t0\t"));
    CHECK(lines[2].startsWith("2\t3\t7\t"));
    CHECK(mime->data("text/tab-separated-values") == mime->text().toUtf8());
}

TEST_CASE("the export dialog gives what was chosen and tells why a file can't be written")
{
    const auto content = sample();
    ExportDialog dialog(*content, settings());
    CHECK(dialog.settings().size == QSize(600, 300));
    CHECK(dialog.settings().footer == "sample.h5");
    CHECK(dialog.format() == "png");
    dialog.findChild<QComboBox*>()->setCurrentIndex(2);
    CHECK(dialog.format() == "pdf");
    CHECK_FALSE(dialog.save("/no/such/folder/a.pdf"));
    const QTemporaryDir folder;
    CHECK(dialog.save(folder.filePath("a.pdf")));
    CHECK(bytesOf(folder.filePath("a.pdf")).startsWith("%PDF"));
}

}  // namespace export_dialog_test
