// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/message_count.h"

#include "ui/plot/number_label.h"

#include <QStringList>

namespace calibscope {

MessageCount::MessageCount(const MessageLog& log, QWidget* parent) : QToolButton(parent), m_log(log)
{
    setObjectName(QStringLiteral("messageCount"));
    setAutoRaise(true);
    setToolTip(tr("Shows the messages (F8)"));
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&log, signal, this, &MessageCount::count);
    connect(&log, &QAbstractItemModel::modelReset, this, &MessageCount::count);
    count();
}

void MessageCount::count()
{
    const std::size_t warnings = m_log.count(MessageLog::Kind::Warning);
    const std::size_t problems = m_log.count(MessageLog::Kind::Problem);
    QStringList parts;
    if (problems > 0)
        parts += countText(problems, tr("1 problem"), tr("%1 problems"));
    if (warnings > 0)
        parts += countText(warnings, tr("1 warning"), tr("%1 warnings"));
    setText(parts.join(QStringLiteral(", ")));
    setVisible(!parts.isEmpty());
}

}  // namespace calibscope
