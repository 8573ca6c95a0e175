// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/outcome_rows.h"
#include "ui/theme/chart_colors.h"

#include <QByteArray>
#include <QString>
#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace calibscope {

class ElidedLabel;
class PartsLabel;

/// Contents of a closed card.
struct CardFace
{
    std::string id;
    std::string label;
    QByteArray needs;  ///< of its parts among all cards', see elidedName()
    QString group;     ///< heading of the cards that it stands among
    QString figure;    ///< "29.75 dB"; "…" while it is computed, "–" without a result
    QString numbers;   ///< "2.391   scale 0.01883   clipped 0.066 %"
    QString toolTip;
    SeriesStyle style;
    bool isTicked = false;
    bool isBest = false;      ///< no other has a higher SQNR, but some have a lower one
    bool isChosen = false;    ///< its name is bold: accepting takes it
    bool isRecipes = false;   ///< the chosen recipe's choice, while another one is bold
    bool isChanged = false;   ///< its settings are not its own any more
    bool isAccepted = false;  ///< the user accepted it
};

/// A face for each row, in the order of cardOrder(): first those that are looked for, behind them
/// the standard calibrators, the vendors whose recipes bring in further ones, and what the user
/// added, each under a heading.
[[nodiscard]] std::vector<CardFace> cardFaces(const std::vector<OutcomeRow>& rows,
                                              const ChartColors& colors);

/// A calibrator in the list: closed it shows its numbers, chosen it opens to its details.
///
/// A click or Return chooses it, Space ticks it, Up and Down ask for a neighbour.
class CalibratorCard : public QWidget
{
    Q_OBJECT

public:
    explicit CalibratorCard(QWidget* parent = nullptr);

    void setFace(const CardFace& face);
    [[nodiscard]] const CardFace& face() const { return m_face; }
    void setChosen(bool isChosen);
    [[nodiscard]] bool isChosen() const { return m_isChosen; }
    /// Shows the details below the face; they become its child.
    void takeDetails(QWidget& details);

Q_SIGNALS:
    void tickRequested(const std::string& id, bool isTicked);
    void clicked(const std::string& id);
    void entered(const std::string& id);  ///< by the pointer
    void left();
    void neighbourRequested(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] QWidget* makeFace();
    void drawIcons();

    CardFace m_face;
    bool m_isChosen = false;
    QVBoxLayout* m_layout;
    QWidget* m_closed = nullptr;  ///< what is seen of it when it is closed
    QCheckBox* m_tick = nullptr;
    QLabel* m_line = nullptr;
    ElidedLabel* m_name = nullptr;
    QLabel* m_accepted = nullptr;
    QLabel* m_star = nullptr;
    QLabel* m_figure = nullptr;
    PartsLabel* m_numbers = nullptr;
};

}  // namespace calibscope
