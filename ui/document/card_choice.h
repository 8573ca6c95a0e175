// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <string>

namespace calibscope {

/// Which of the calibrators' cards is open, and which one the pointer is on: what the plots show of
/// one calibrator alone is of that one, and the open one is what accepting takes. By id: it holds
/// from tensor to tensor, up to one that has no such candidate.
class CardChoice : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Empty: no card is open.
    void choose(const std::string& id);
    /// Empty: the pointer is on none.
    void hover(const std::string& id);
    [[nodiscard]] const std::string& chosen() const { return m_chosen; }
    /// The one under the pointer, else the open one; empty: neither.
    [[nodiscard]] const std::string& shown() const
    {
        return m_hovered.empty() ? m_chosen : m_hovered;
    }

Q_SIGNALS:
    void chosenChanged();
    void shownChanged();

private:
    std::string m_chosen;
    std::string m_hovered;
};

/// The choice that all parts of a window share, as they share its document: made when it is first
/// asked for.
[[nodiscard]] CardChoice& cardsOf(QObject& document);

}  // namespace calibscope
