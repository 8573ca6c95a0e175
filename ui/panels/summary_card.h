// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/card_frame.h"

#include <QString>

#include <optional>
#include <vector>

class QVBoxLayout;

namespace calibscope {

/// One line of a card: a name, what there is of it, and how much that is of all.
struct CardRow
{
    QString name;
    QString value;
    QString link = {};                 ///< of the name; empty: none
    std::optional<double> share = {};  ///< 0 to 1, drawn as a bar below
    QString note = {};                 ///< a sentence below

    bool operator==(const CardRow&) const = default;
};

/// A titled box of lines on the summary page.
class SummaryCard : public CardFrame
{
    Q_OBJECT

public:
    explicit SummaryCard(const QString& title, QWidget* parent = nullptr);

    /// Replaces the lines; a card without lines hides. At most so many are shown, the last line
    /// then says how many more there are.
    void setRows(const std::vector<CardRow>& rows, std::size_t most = 8);
    /// All lines as text, for tests and screen readers.
    [[nodiscard]] QString textSummary() const { return m_text; }

Q_SIGNALS:
    void linkActivated(const QString& link);

private:
    void addRow(const CardRow& row);
    [[nodiscard]] QWidget* makeRow(const CardRow& row);

    QVBoxLayout* m_rows;
    std::vector<CardRow> m_shown;
    QString m_title;
    QString m_text;
};

}  // namespace calibscope
