#include "ui/document/card_choice.h"

namespace calibscope {

void CardChoice::choose(const std::string& id)
{
    if (id == m_chosen)
        return;
    set(m_chosen, id);
    Q_EMIT chosenChanged();
}

void CardChoice::hover(const std::string& id)
{
    set(m_hovered, id);
}

CardChoice& cardsOf(QObject& document)
{
    auto* cards = document.findChild<CardChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return cards ? *cards : *new CardChoice(&document);
}

void CardChoice::set(std::string& id, const std::string& value)
{
    const std::string before = shown();
    id = value;
    if (shown() != before)
        Q_EMIT shownChanged();
}

}  // namespace calibscope
