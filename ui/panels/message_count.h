// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/message_log.h"

#include <QToolButton>

namespace calibscope {

/// In the status bar: how many warnings and problems the log has. Hidden without any.
class MessageCount : public QToolButton
{
    Q_OBJECT

public:
    explicit MessageCount(const MessageLog& log, QWidget* parent = nullptr);

private:
    void count();

    const MessageLog& m_log;
};

}  // namespace calibscope
