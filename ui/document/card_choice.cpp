// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/card_choice.h"

namespace calibscope {

void CardChoice::choose(const std::string& id)
{
    if (id == m_chosen)
        return;
    m_chosen = id;
    Q_EMIT chosenChanged();
}

void CardChoice::hover(const std::string& id)
{
    if (id == m_hovered)
        return;
    m_hovered = id;
    Q_EMIT hoveredChanged();
}

void CardChoice::moveOn(const std::string& still)
{
    if (m_chosen != still)
        m_chosen.clear();
    m_hovered.clear();
}

CardChoice& cardsOf(QObject& document)
{
    auto* cards = document.findChild<CardChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return cards ? *cards : *new CardChoice(&document);
}

}  // namespace calibscope
