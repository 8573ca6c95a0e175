// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/neighbour_chips.h"

#include "ui/document/document.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/tensor_delegates.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

constexpr int widestName = 150;
constexpr int chipGap = 4;
constexpr int sideGap = 14;

QString chipName(const Document& document, int tensor)
{
    return QString::fromStdString(document.tensors()[static_cast<std::size_t>(tensor)].name);
}

}  // namespace

NeighbourChips::NeighbourChips(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_from{.label = new PlainLabel(tr("from"), this)},
      m_to{.label = new PlainLabel(tr("to"), this)},
      m_more(new QToolButton(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (QLabel* label : {m_from.label, m_to.label})
        label->setForegroundRole(QPalette::PlaceholderText);
    m_more->setAutoRaise(true);
    m_more->setToolTip(tr("All neighbours in the graph"));
    connect(m_more, &QToolButton::clicked, this, &NeighbourChips::openMenu);
    connect(&document, &Document::selectionChanged, this, &NeighbourChips::refresh);
    connect(&document, &Document::dumpChanged, this, &NeighbourChips::refresh);
    connect(&document, &Document::tensorsChanged, this, &NeighbourChips::refresh);
    refresh();
}

void NeighbourChips::refresh()
{
    const Document::Neighbours neighbours = m_document.neighboursOf(m_document.selected());
    fill(m_from, neighbours.takes);
    fill(m_to, neighbours.takenBy);
    setVisible(!m_from.tensors.empty() || !m_to.tensors.empty());
    arrange();
}

void NeighbourChips::fill(Side& side, const std::vector<int>& tensors)
{
    for (QToolButton* chip : side.chips)
        chip->deleteLater();  // one of them may have been clicked
    for (QToolButton* chip : side.chips)
        chip->hide();
    side.chips.clear();
    side.tensors = tensors;
    for (const int tensor : tensors) {
        auto* chip = new QToolButton(this);
        const QString name = chipName(m_document, tensor);
        chip->setText(menuText(elidedName(name, fontMetrics(), widestName)));
        chip->setAccessibleName(name);
        const TensorInfo& info = m_document.tensors()[static_cast<std::size_t>(tensor)];
        QStringList facts{name, roleTitle(info.role), QString::fromStdString(info.op),
                          shapeLabel(info)};
        facts.removeAll(QString());
        chip->setToolTip(facts.join(u'\n'));
        connect(chip, &QToolButton::clicked, this, [this, tensor] { m_document.select(tensor); });
        side.chips.push_back(chip);
    }
}

/// In turn one of each side, as long as there is room for it and for the menu.
void NeighbourChips::arrange()
{
    const std::array sides = {&m_from, &m_to};
    const std::size_t all = m_from.chips.size() + m_to.chips.size();
    m_more->setText(tr("+%1").arg(countLabel(all)));  // no narrower than any that is shown
    int room = width() - m_more->sizeHint().width();
    for (Side* side : sides) {
        side->shown = 0;
        if (!side->chips.empty())
            room -= side->label->sizeHint().width() + chipGap + sideGap;
    }
    std::array<bool, 2> isFull{};
    while (!isFull[0] || !isFull[1])
        for (std::size_t index = 0; index < sides.size(); ++index) {
            Side& side = *sides.at(index);
            const int needed = side.shown < side.chips.size()
                                   ? side.chips[side.shown]->sizeHint().width() + chipGap
                                   : room + 1;
            isFull.at(index) = needed > room;
            if (isFull.at(index))
                continue;
            room -= needed;
            ++side.shown;
        }
    int left = 0;
    const auto put = [&](QWidget& part, int gap) {
        const QSize size = part.sizeHint();
        part.setGeometry(left, (height() - size.height()) / 2, size.width(), size.height());
        left += size.width() + gap;
    };
    for (Side* side : sides) {
        side->label->setVisible(side->shown > 0);
        if (side->shown > 0)
            put(*side->label, chipGap);
        for (std::size_t index = 0; index < side->chips.size(); ++index) {
            side->chips[index]->setVisible(index < side->shown);
            if (index < side->shown)
                put(*side->chips[index], chipGap);
        }
        left += side->shown > 0 ? sideGap - chipGap : 0;
    }
    const std::size_t missing = all - m_from.shown - m_to.shown;
    m_more->setText(tr("+%1").arg(countLabel(missing)));
    m_more->setVisible(missing > 0);
    put(*m_more, 0);
}

void NeighbourChips::openMenu()
{
    QMenu menu(this);
    for (const Side* side : {&m_from, &m_to}) {
        if (!side->tensors.empty())
            menu.addSection(side->label->text());
        for (const int tensor : side->tensors)
            menu.addAction(menuText(chipName(m_document, tensor)), this,
                           [this, tensor] { m_document.select(tensor); });
    }
    menu.exec(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

std::vector<QToolButton*> NeighbourChips::shownChips() const
{
    std::vector<QToolButton*> chips(
        m_from.chips.begin(), m_from.chips.begin() + static_cast<std::ptrdiff_t>(m_from.shown));
    chips.insert(chips.end(), m_to.chips.begin(),
                 m_to.chips.begin() + static_cast<std::ptrdiff_t>(m_to.shown));
    return chips;
}

QSize NeighbourChips::sizeHint() const
{
    return {320, m_more->sizeHint().height()};
}

QSize NeighbourChips::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void NeighbourChips::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void NeighbourChips::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        refresh();
}

}  // namespace calibscope
