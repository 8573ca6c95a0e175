// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <string>

namespace calibscope {

/// Which of the calibrators' cards is open, and which one the pointer is on: what the plots show of
/// one calibrator alone is of the latter. By id. A card is open on one tensor alone.
class CardChoice : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Empty: no card is open.
    void choose(const std::string& id);
    /// Empty: the pointer is on none.
    void hover(const std::string& id);
    /// Another tensor is selected, or something else was accepted for it: a card other than `still`
    /// is closed, and the pointer is on none until it moves. Without a signal: all is shown anew
    /// after either.
    void moveOn(const std::string& still = {});
    [[nodiscard]] const std::string& chosen() const { return m_chosen; }
    [[nodiscard]] const std::string& hovered() const { return m_hovered; }

Q_SIGNALS:
    void chosenChanged();
    void hoveredChanged();

private:
    std::string m_chosen;
    std::string m_hovered;
};

/// The choice that all parts of a window share, as they share its document: made when it is first
/// asked for.
[[nodiscard]] CardChoice& cardsOf(QObject& document);

}  // namespace calibscope
