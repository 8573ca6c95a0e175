// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/summary_card.h"

#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

/// A thin line, filled as far as the share.
class ShareBar : public QWidget
{
public:
    explicit ShareBar(double share, QWidget* parent) : QWidget(parent), m_share(share)
    {
        constexpr int barPixels = 4;
        setFixedHeight(barPixels);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const ChartColors& colors = chartColors(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const qreal radius = height() / 2.0;
        painter.setBrush(colors.grid);
        painter.drawRoundedRect(rect(), radius, radius);
        const qreal filled = std::max<qreal>(height(), width() * std::clamp(m_share, 0.0, 1.0));
        painter.setBrush(colors.fill);
        if (m_share > 0.0)
            painter.drawRoundedRect(QRectF(0.0, 0.0, filled, height()), radius, radius);
    }

private:
    double m_share;
};

}  // namespace

SummaryCard::SummaryCard(const QString& title, QWidget* parent)
    : CardFrame(parent), m_rows(new QVBoxLayout), m_title(title)
{
    setObjectName(QStringLiteral("card"));
    setAccessibleName(title);
    auto* heading = new PlainLabel(title, this);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(heading);
    m_rows->setSpacing(8);
    layout->addLayout(m_rows);
    layout->addStretch();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    hide();
}

void SummaryCard::setRows(const std::vector<CardRow>& rows, std::size_t most)
{
    if (rows == m_shown && !rows.empty())
        return;
    m_shown = rows;
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        item->widget()->deleteLater();
        item->widget()->hide();
        delete item;
    }
    m_text = m_title;
    const std::size_t shown = rows.size() <= most ? rows.size() : most - 1;
    for (std::size_t place = 0; place < shown; ++place) {
        const CardRow& row = rows[place];
        addRow(row);
        QStringList parts{row.name, row.value, row.note};
        parts.removeAll(QString());
        m_text += u'\n' + parts.join(u' ');
    }
    if (shown < rows.size()) {
        const QString more = tr("and %1 more").arg(countLabel(rows.size() - shown));
        addRow({.name = {}, .value = more});
        m_text += u'\n' + more;
    }
    setAccessibleDescription(m_text);
    setVisible(!rows.empty());
}

/// Shown at once: a picture of the page may be taken now.
void SummaryCard::addRow(const CardRow& row)
{
    QWidget* widget = makeRow(row);
    m_rows->addWidget(widget);
    widget->show();
}

QWidget* SummaryCard::makeRow(const CardRow& row)
{
    auto* widget = new QWidget(this);
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    const bool isNoteAlone = row.name.isEmpty() && row.value.isEmpty();
    if (isNoteAlone) {
        grid->setVerticalSpacing(0);
    } else if (row.link.isEmpty()) {
        auto* name = new ElidedLabel(Qt::ElideRight, widget);
        name->setText(row.name);
        grid->addWidget(name, 0, 0);
    } else {
        auto* name = new LinkLabel(row.name, row.link, {}, widget);
        name->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        name->setToolTip(row.name);
        name->setMinimumWidth(24);
        connect(name, &QLabel::linkActivated, this, &SummaryCard::linkActivated);
        grid->addWidget(name, 0, 0);
    }
    if (!row.value.isEmpty()) {
        auto* value = new PlainLabel(row.value, widget);
        value->setForegroundRole(QPalette::PlaceholderText);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(value, 0, 1);
    }
    grid->setColumnStretch(0, 1);
    if (row.share)
        grid->addWidget(new ShareBar(*row.share, widget), 1, 0, 1, 2);
    if (!row.note.isEmpty()) {
        auto* note = new PlainLabel(row.note, widget);
        note->setWordWrap(true);
        note->setForegroundRole(QPalette::PlaceholderText);
        note->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(note, 2, 0, 1, 2);
    }
    return widget;
}

}  // namespace calibscope
