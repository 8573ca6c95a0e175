// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/panels/cards/calibrator_card.h"

#include <QScrollArea>

#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace calibscope {

class CalibratorCard;

/// The cards of a tensor's calibrators under the headings of their groups. One is chosen and shows
/// the details.
class CardList : public QScrollArea
{
    Q_OBJECT

public:
    /// `details` is what the chosen card shows; becomes a child of the list. `footer` lies below
    /// the cards.
    CardList(QWidget* details, QWidget* footer, QWidget* parent = nullptr);

    /// The chosen card stays chosen while there is one of its id.
    void setFaces(const std::vector<CardFace>& faces);
    /// An unknown id chooses none. One that comes to be chosen is scrolled to, and so is the bold
    /// one where none is chosen.
    void choose(const std::string& id);
    /// The faces are of another tensor: the next choose() scrolls to the chosen or the bold card.
    void showAnew() { m_isToBeShown = true; }
    [[nodiscard]] const std::string& chosen() const { return m_chosen; }
    [[nodiscard]] const std::vector<CalibratorCard*>& cards() const { return m_cards; }
    [[nodiscard]] CalibratorCard* card(const std::string& id) const;  ///< nullptr: none
    /// The chosen one gets the focus, or else the first; false: there is none.
    bool focusCard();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

Q_SIGNALS:
    void tickRequested(const std::string& id, bool isTicked);
    void chooseRequested(const std::string& id);
    void hovered(const std::string& id);  ///< empty: the pointer is on no card

private:
    void makeCards(std::size_t count);
    void placeCards();
    [[nodiscard]] CalibratorCard* attended() const;
    void showAttended();
    void focusNeighbour(const CalibratorCard& from, int step);

    void showFade();

    QWidget* m_fade;  ///< over the lower edge while there is more below
    QWidget* m_details;
    QWidget* m_footer;
    QVBoxLayout* m_layout;
    std::vector<CalibratorCard*> m_cards;
    std::vector<QLabel*> m_headings;
    std::vector<QString> m_groups;  ///< by card, as they are laid out
    std::string m_chosen;
    bool m_isToBeShown = false;  ///< attended(), which has not been scrolled to yet
};

}  // namespace calibscope
