#include "ui/document/card_choice.h"

namespace calibscope {

void CardChoice::choose(const std::string& label)
{
    if (label == m_chosen)
        return;
    set(m_chosen, label);
    Q_EMIT chosenChanged();
}

void CardChoice::hover(const std::string& label)
{
    set(m_hovered, label);
}

CardChoice& cardsOf(QObject& session)
{
    auto* cards = session.findChild<CardChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return cards ? *cards : *new CardChoice(&session);
}

void CardChoice::set(std::string& label, const std::string& value)
{
    const std::string before = shown();
    label = value;
    if (shown() != before)
        Q_EMIT shownChanged();
}

}  // namespace calibscope
