// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tensor_delegates.h"

#include "tests/support/catch.h"
#include "ui/models/tensor_flags.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/palettes.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTableView>

#include <cmath>
#include <limits>

namespace tensor_delegates_test {

using namespace calibscope;

/// Heights of the columns of a sparkline in a box of 10 pixels per count and 20 pixels height.
std::vector<int> heights(const QList<double>& counts)
{
    QImage image(10 * static_cast<int>(std::max<qsizetype>(counts.size(), 1)), 20,
                 QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintSparkline(painter, image.rect(), counts, Qt::black);
    painter.end();
    std::vector<int> found;
    for (int x = 5; x < image.width(); x += 10) {
        int height = 0;
        for (int y = 0; y < image.height(); ++y)
            height += image.pixelColor(x, y) == Qt::black ? 1 : 0;
        found.push_back(height);
    }
    return found;
}

constexpr int sqnrRole = Qt::UserRole;
constexpr int doubtRole = Qt::UserRole + 1;

/// Pixels along the bar of a 108 pixel wide cell that are filled.
int filledPixels(const QVariant& sqnr)
{
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), sqnr, sqnrRole);
    QImage image(108, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    option.palette = lightPalette();
    SqnrDelegate(sqnrRole).paint(&painter, option, model.index(0, 0));
    painter.end();
    int filled = 0;
    for (int x = 0; x < image.width(); ++x) {
        const QColor pixel = image.pixelColor(x, image.height() - 2);
        filled += pixel != Qt::white && pixel != lightChartColors().grid ? 1 : 0;
    }
    return filled;
}

TEST_CASE("a sparkline is logarithmic from a tenth of the box to all of it")
{
    CHECK(heights({1.0, 10.0, 100.0}) == std::vector<int>{2, 11, 20});
}

TEST_CASE("zero counts are gaps and equal counts are full")
{
    CHECK(heights({7.0, 0.0, 7.0}) == std::vector<int>{20, 0, 20});
}

TEST_CASE("nothing to draw draws nothing")
{
    CHECK(heights({}) == std::vector<int>{0});
    CHECK(heights({0.0, 0.0}) == std::vector<int>{0, 0});
    CHECK(heights({std::numeric_limits<double>::quiet_NaN(), 1.0}).front() == 0);
    CHECK(heights({std::numeric_limits<double>::infinity(), 1.0}) == std::vector<int>{0, 0});
}

TEST_CASE("the bar of an SQNR runs from 0 to 60 dB")
{
    CHECK(sqnrShare(0.0) == 0.0);
    CHECK(sqnrShare(30.0) == 0.5);
    CHECK(sqnrShare(60.0) == 1.0);
    CHECK(sqnrShare(-5.0) == 0.0);
    CHECK(sqnrShare(200.0) == 1.0);
    CHECK(sqnrShare(std::numeric_limits<double>::infinity()) == 1.0);
    CHECK(sqnrShare(std::nan("")) == 0.0);
}

TEST_CASE("a cell's bar is as long as its share of the cell")
{
    CHECK(filledPixels(60.0) == 100);
    CHECK(filledPixels(30.0) == 50);
    CHECK(filledPixels(QVariant()) == 0);
}

TEST_CASE("a doubted number's bar is not drawn as good, a poor one stays poor")
{
    const auto colorOf = [](double db, bool isDoubted) {
        QStandardItemModel model(1, 1);
        model.setData(model.index(0, 0), db, sqnrRole);
        model.setData(model.index(0, 0), isDoubted, doubtRole);
        QImage image(108, 20, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.palette = lightPalette();
        SqnrDelegate(sqnrRole, nullptr, doubtRole).paint(&painter, option, model.index(0, 0));
        painter.end();
        return image.pixelColor(5, image.height() - 2);
    };
    CHECK(colorOf(743.0, false) == sqnrColor(SqnrGrade::Good, lightChartColors()));
    CHECK(colorOf(743.0, true) == sqnrColor(SqnrGrade::Fair, lightChartColors()));
    CHECK(colorOf(1.0, true) == sqnrColor(SqnrGrade::Poor, lightChartColors()));
}

TEST_CASE("a table's column of names that end alike shows where they differ")
{
    QStandardItemModel model(2, 1);
    model.setItem(0, new QStandardItem("batch_normalization_17_weights_fused_bn"));
    model.setItem(1, new QStandardItem("batch_normalization_18_weights_fused_bn"));
    QTableView view;
    view.setFont(codeFont());
    view.setModel(&model);
    struct Shown : ColumnNamesDelegate
    {
        using ColumnNamesDelegate::initStyleOption;
    } delegate;
    const auto shownIn = [&](int row, int width) {
        QStyleOptionViewItem item;
        item.initFrom(&view);
        item.font = view.font();
        item.widget = &view;
        item.rect = QRect(0, 0, width, 20);
        delegate.initStyleOption(&item, model.index(row, 0));
        return item.text.toStdString();
    };
    const int letter = QFontMetrics(codeFont()).horizontalAdvance(u'n');
    CHECK(shownIn(0, 60 * letter) == "batch_normalization_17_weights_fused_bn");
    CHECK(shownIn(0, 7 * letter) == "…17_…");
    CHECK(shownIn(1, 7 * letter) == "…18_…");
    model.item(1)->setText("batch_normalization_17_inputs_fused_bn");
    CHECK(shownIn(1, 11 * letter) == "…inputs_…");
}

TEST_CASE("flags are legible in both themes, each with a shape of its own")
{
    std::vector<QImage> pictures;
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()})
        for (const FlagKind& kind : flagKinds()) {
            CAPTURE(kind.word, colors->isDark);
            CHECK(contrastRatio(flagColor(kind.weight, *colors), colors->background) >= 4.5);
            CHECK_FALSE(flagMeaning(kind).isEmpty());
            if (colors->isDark)
                continue;
            QImage picture(24, 24, QImage::Format_ARGB32);
            picture.fill(Qt::white);
            QPainter painter(&picture);
            FlagKind grey = kind;
            grey.weight = FlagWeight::Mark;  // without colour
            paintFlag(painter, QRectF(0, 0, 24, 24), grey, *colors);
            painter.end();
            CHECK(std::ranges::find(pictures, picture) == pictures.end());
            pictures.push_back(picture);
        }
}

TEST_CASE("of the flags that do not fit the gravest stay, and what is accepted")
{
    const auto shown = [](const QString& letters, int room) {
        const FlagsShown flags = flagsShown(letters, FlagsDelegate::widthOf(room) - 4.0);
        QString text;
        for (const FlagKind* kind : flags.kinds)
            text += QChar(kind->letter);
        return flags.isCut ? text + u'.' : text;
    };
    const QString four = QStringLiteral("!1?✓");
    CHECK(shown(four, 4) == four);
    CHECK(shown(four, 3) == QStringLiteral("!1✓."));
    CHECK(shown(four, 2) == QStringLiteral("!✓."));
    CHECK(shown(QStringLiteral("!1?"), 2) == QStringLiteral("!1."));
    CHECK(shown(QStringLiteral("1✓"), 2) == QStringLiteral("1✓"));
    CHECK(flagsShown(four, 2.0).kinds.empty());
    CHECK(flagsShown({}, 40.0).kinds.empty());
}

}  // namespace tensor_delegates_test
