// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>

#include <cstddef>
#include <deque>

namespace calibscope {

/// Events in the window, in the order of time.
class MessageLog : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Kind { Note, Warning, Problem };
    enum Column { Time, KindColumn, Text, ColumnCount };
    static constexpr std::size_t most = 1000;  ///< the oldest go

    using QAbstractTableModel::QAbstractTableModel;

    void add(Kind kind, const QString& sentence);
    void clear();
    [[nodiscard]] std::size_t count(Kind kind) const;
    [[nodiscard]] bool has(const QString& sentence) const;
    /// All messages, or these rows of them: a line each, parts divided by tabs.
    [[nodiscard]] QString text() const;
    [[nodiscard]] QString text(const QList<int>& rows) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Message
    {
        QDateTime time;
        Kind kind;
        QString sentence;
    };

    [[nodiscard]] QString cell(const Message& message, int column) const;

    std::deque<Message> m_messages;
};

}  // namespace calibscope
