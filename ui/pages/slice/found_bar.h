// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/document/document.h"
#include "ui/queries/query.h"

#include <QString>
#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>

class QLabel;
class QToolButton;

namespace calibscope {

/// Values of the selected tensor that stand out from all others: which, and from one to the next.
/// Hidden while there are none.
class FoundBar : public QWidget
{
    Q_OBJECT

public:
    explicit FoundBar(Document& document, QWidget* parent = nullptr);

    /// How many places are asked for.
    static constexpr std::uint64_t mostFound = 1000;

    /// Of what Browse shows of the tensor; `words` say which values.
    void look(const MarkedValues& marked, const QString& words);
    void clear();
    [[nodiscard]] const std::optional<MarkedValues>& marked() const { return m_marked; }
    [[nodiscard]] const QString& words() const { return m_words; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] QToolButton& nextButton() const { return *m_next; }

Q_SIGNALS:
    /// One of them is to be shown: a flat index in the file's order.
    void placeFound(quint64 place);
    void cleared();  ///< by the user

private:
    [[nodiscard]] std::size_t count() const;
    void step(int places);
    void refresh();

    Document& m_document;
    Query<protocol::LocateRequest> m_query;
    std::optional<MarkedValues> m_marked;
    QString m_words;
    std::size_t m_place = 0;
    QLabel* m_text;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_clear;
};

}  // namespace calibscope
