#include "ui/widgets/heat_delegate.h"

#include "tests/support/catch.h"
#include "ui/theme/chart_colors.h"

#include <QPainter>
#include <QStandardItemModel>

using namespace calibscope;

namespace {

constexpr int shareRole = Qt::UserRole;
constexpr int bestRole = Qt::UserRole + 1;

std::optional<double> shareOf(const QModelIndex& index)
{
    const QVariant share = index.data(shareRole);
    return share.isValid() ? std::optional(share.toDouble()) : std::nullopt;
}

QImage painted(const QStandardItem& item)
{
    QStandardItemModel model(1, 1);
    model.setItem(0, 0, item.clone());
    const HeatDelegate delegate(shareOf, bestRole);
    QStyleOptionViewItem option;
    option.rect = QRect(0, 0, 80, 24);
    QImage image(80, 24, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    delegate.paint(&painter, option, model.index(0, 0));
    return image;
}

}  // namespace

TEST_CASE("text is legible on every colour of the heat map, in light and dark")
{
    for (const bool dark : {false, true})
        for (int step = 0; step <= 100; ++step) {
            const QColor ground = heatColor(step / 100.0, dark);
            CHECK(contrastRatio(textOn(ground), ground) >= 4.5);
        }
}

TEST_CASE("a cell with a share is filled with its colour")
{
    QStandardItem item("1");
    item.setData(0.5, shareRole);
    CHECK(painted(item).pixelColor(40, 1) == heatColor(0.5, false));
}

TEST_CASE("the best has a star beside its text")
{
    QStandardItem item;
    item.setData(1.0, shareRole);
    const QImage plain = painted(item);
    item.setData(true, bestRole);
    CHECK(painted(item) != plain);
}

TEST_CASE("there is room for star and bold digits")
{
    QStandardItemModel model(1, 1);
    model.setItem(0, 0, new QStandardItem("29.75"));
    const HeatDelegate delegate(shareOf, bestRole);
    QStyleOptionViewItem option;
    QFont bold = option.font;
    bold.setBold(true);
    CHECK(delegate.sizeHint(option, model.index(0, 0)).width() >=
          QFontMetrics(bold).horizontalAdvance("29.75") + 24);
}
