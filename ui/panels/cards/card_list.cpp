// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/card_list.h"

#include "ui/panels/cards/calibrator_card.h"
#include "ui/theme/plain_text.h"

#include <QLabel>
#include <QLinearGradient>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int headingRoom = 28;       // above a card: the heading of its group
constexpr int beginningHeight = 160;  // of an open card: its face, and that there are settings

constexpr int fadeHeight = 18;

/// A card that the lower edge cuts goes out of sight slowly: there is more to scroll to.
class Fade : public QWidget
{
public:
    explicit Fade(QWidget* parent) : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        QColor ground = palette().color(QPalette::Window);
        QLinearGradient gradient(0.0, 0.0, 0.0, height());
        gradient.setColorAt(1.0, ground);
        ground.setAlpha(0);
        gradient.setColorAt(0.0, ground);
        painter.fillRect(rect(), gradient);
        painter.fillRect(0, height() - 1, width(), 1, palette().color(QPalette::Mid));
    }
};

QLabel* makeHeading(const QString& text, QWidget* parent)
{
    auto* heading = new PlainLabel(text.toUpper(), parent);
    QFont small = heading->font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    small.setBold(true);
    heading->setFont(small);
    heading->setForegroundRole(QPalette::PlaceholderText);
    heading->setContentsMargins(8, 8, 8, 2);
    return heading;
}

}  // namespace

CardList::CardList(QWidget* details, QWidget* footer, QWidget* parent)
    : QScrollArea(parent), m_fade(new Fade(this)), m_details(details), m_footer(footer)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget(this);
    content->setAutoFillBackground(false);
    // As wide as is seen, whatever the cards would like: numbers at their right end stay in sight.
    content->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(2, 0, 4, 12);
    m_layout->setSpacing(1);
    setWidget(content);
    viewport()->setAutoFillBackground(false);
    m_details->setParent(content);
    m_details->hide();
    m_footer->setParent(content);
    m_fade->raise();
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &CardList::showFade);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &CardList::showFade);
    // What comes to lie under a pointer that rests was not pointed at.
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { Q_EMIT hovered({}); });
}

void CardList::wheelEvent(QWheelEvent* event)
{
    QScrollArea::wheelEvent(event);
    const QPoint at = widget()->mapFrom(viewport(), event->position().toPoint());
    for (const CalibratorCard* card : m_cards)
        if (card->geometry().contains(at))
            Q_EMIT hovered(card->face().id);
}

void CardList::showFade()
{
    const QRect shown = viewport()->geometry();
    m_fade->setGeometry(shown.left(), shown.bottom() + 1 - fadeHeight, shown.width(), fadeHeight);
    m_fade->setVisible(verticalScrollBar()->value() < verticalScrollBar()->maximum());
}

void CardList::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    showFade();
}

void CardList::makeCards(std::size_t count)
{
    while (m_cards.size() > count) {
        CalibratorCard* card = m_cards.back();
        m_cards.pop_back();
        if (m_details->parentWidget() == card) {
            m_details->hide();
            m_details->setParent(widget());
        }
        card->deleteLater();
        card->hide();
        m_layout->removeWidget(card);
    }
    while (m_cards.size() < count) {
        auto* card = new CalibratorCard(widget());
        connect(card, &CalibratorCard::tickRequested, this, &CardList::tickRequested);
        connect(card, &CalibratorCard::clicked, this, &CardList::chooseRequested);
        connect(card, &CalibratorCard::entered, this, &CardList::hovered);
        connect(card, &CalibratorCard::left, this, [this] { Q_EMIT hovered({}); });
        connect(card, &CalibratorCard::neighbourRequested, this,
                [this, card](int step) { focusNeighbour(*card, step); });
        m_cards.push_back(card);
    }
}

void CardList::placeCards()
{
    for (QLabel* heading : m_headings) {
        m_layout->removeWidget(heading);
        heading->deleteLater();
    }
    m_headings.clear();
    while (m_layout->count() > 0)
        delete m_layout->takeAt(0);
    const bool hasGroups =
        std::ranges::adjacent_find(m_groups, std::not_equal_to<>()) != m_groups.end();
    for (std::size_t place = 0; place < m_cards.size(); ++place) {
        if (hasGroups && (place == 0 || m_groups[place] != m_groups[place - 1])) {
            m_headings.push_back(makeHeading(m_groups[place], widget()));
            m_layout->addWidget(m_headings.back());
        }
        m_layout->addWidget(m_cards[place]);
        m_cards[place]->show();
    }
    m_layout->addWidget(m_footer);
    m_layout->addStretch(1);
}

void CardList::setFaces(const std::vector<CardFace>& faces)
{
    std::vector<QString> groups;
    for (const CardFace& face : faces)
        groups.push_back(face.group);
    const CalibratorCard* before = attended();
    if (groups != m_groups || faces.size() != m_cards.size()) {
        makeCards(faces.size());
        m_groups = std::move(groups);
        placeCards();
    }
    for (std::size_t place = 0; place < faces.size(); ++place)
        m_cards[place]->setFace(faces[place]);
    // The best of all is known last and moves to the top: the others go down.
    m_isToBeShown = m_isToBeShown || attended() != before;
    choose(m_chosen);
}

CalibratorCard* CardList::card(const std::string& id) const
{
    const auto found =
        std::ranges::find(m_cards, id, [](const CalibratorCard* card) { return card->face().id; });
    return found == m_cards.end() ? nullptr : *found;
}

/// The chosen one, else the bold one; nullptr without either.
CalibratorCard* CardList::attended() const
{
    if (CalibratorCard* chosen = card(m_chosen))
        return chosen;
    const auto bold = std::ranges::find_if(
        m_cards, [](const CalibratorCard* card) { return card->face().isChosen; });
    return bold == m_cards.end() ? nullptr : *bold;
}

/// Where it lies is known once the details have their place in it.
void CardList::showAttended()
{
    widget()->layout()->activate();
    const CalibratorCard* shown = attended();
    if (!shown)
        return;
    const int top = verticalScrollBar()->value();
    const int height = std::min(shown->height(), beginningHeight);
    const bool isSeen = shown->y() >= top && shown->y() + height <= top + viewport()->height();
    if (shown->y() + height <= viewport()->height())
        verticalScrollBar()->setValue(0);  // with the heading and what is above it
    else if (!isSeen)
        verticalScrollBar()->setValue(shown->y() - headingRoom);
}

void CardList::choose(const std::string& id)
{
    m_isToBeShown = m_isToBeShown || id != m_chosen;
    m_chosen = id;
    CalibratorCard* wanted = card(id);
    for (CalibratorCard* card : m_cards)
        card->setChosen(card == wanted);
    if (wanted && m_details->parentWidget() != wanted)
        wanted->takeDetails(*m_details);
    else if (!wanted)
        m_details->hide();
    if (attended() && std::exchange(m_isToBeShown, false))
        QTimer::singleShot(0, this, &CardList::showAttended);
}

bool CardList::focusCard()
{
    if (m_cards.empty())
        return false;
    CalibratorCard* chosen = card(m_chosen);
    (chosen ? chosen : m_cards.front())->setFocus(Qt::TabFocusReason);
    return true;
}

void CardList::focusNeighbour(const CalibratorCard& from, int step)
{
    const auto place = std::ranges::find(m_cards, &from) - m_cards.begin() + step;
    if (place < 0 || place >= std::ssize(m_cards))
        return;
    CalibratorCard* next = m_cards[static_cast<std::size_t>(place)];
    next->setFocus(Qt::TabFocusReason);
    ensureWidgetVisible(next, 0, 8);
}

}  // namespace calibscope
