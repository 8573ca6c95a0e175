// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/message_log.h"

#include <numeric>

#include <algorithm>

namespace calibscope {

namespace {

QString kindText(MessageLog::Kind kind)
{
    switch (kind) {
    case MessageLog::Kind::Note: return MessageLog::tr("note");
    case MessageLog::Kind::Warning: return MessageLog::tr("warning");
    case MessageLog::Kind::Problem: return MessageLog::tr("problem");
    }
    return {};
}

}  // namespace

void MessageLog::add(Kind kind, const QString& sentence)
{
    if (m_messages.size() == most) {
        beginRemoveRows({}, 0, 0);
        m_messages.pop_front();
        endRemoveRows();
    }
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_messages.push_back({QDateTime::currentDateTime(), kind, sentence});
    endInsertRows();
}

void MessageLog::clear()
{
    beginResetModel();
    m_messages.clear();
    endResetModel();
}

std::size_t MessageLog::count(Kind kind) const
{
    return static_cast<std::size_t>(std::ranges::count(m_messages, kind, &Message::kind));
}

bool MessageLog::has(const QString& sentence) const
{
    return std::ranges::find(m_messages, sentence, &Message::sentence) != m_messages.end();
}

QString MessageLog::text() const
{
    QList<int> rows(rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    return text(rows);
}

QString MessageLog::text(const QList<int>& rows) const
{
    QString lines;
    for (const int row : rows) {
        const Message& message = m_messages.at(static_cast<std::size_t>(row));
        lines += message.time.toString(Qt::ISODate) + u'\t' + kindText(message.kind) + u'\t' +
                 message.sentence + u'\n';
    }
    return lines;
}

int MessageLog::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_messages.size());
}

int MessageLog::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString MessageLog::cell(const Message& message, int column) const
{
    switch (static_cast<Column>(column)) {
    case Time: return message.time.toString(QStringLiteral("HH:mm:ss"));
    case KindColumn: return kindText(message.kind);
    case Text: return message.sentence;
    case ColumnCount: break;
    }
    return {};
}

QVariant MessageLog::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Message& message = m_messages.at(static_cast<std::size_t>(index.row()));
    if (role == Qt::DisplayRole)
        return cell(message, index.column());
    if (role == Qt::ToolTipRole)
        return message.sentence;
    return {};
}

QVariant MessageLog::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Time: return tr("time");
    case KindColumn: return tr("kind");
    case Text: return tr("message");
    case ColumnCount: break;
    }
    return {};
}

}  // namespace calibscope
