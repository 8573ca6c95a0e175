// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/card_choice.h"

namespace calibscope {

void CardChoice::choose(const std::string& id)
{
    if (id == m_chosen)
        return;
    const std::string before = shown();
    m_chosen = id;
    Q_EMIT chosenChanged();
    if (shown() != before)
        Q_EMIT shownChanged();
}

void CardChoice::hover(const std::string& id)
{
    const std::string before = shown();
    m_hovered = id;
    if (shown() != before)
        Q_EMIT shownChanged();
}

CardChoice& cardsOf(QObject& document)
{
    auto* cards = document.findChild<CardChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return cards ? *cards : *new CardChoice(&document);
}

}  // namespace calibscope
