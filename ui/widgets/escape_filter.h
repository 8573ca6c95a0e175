// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeyEvent>
#include <QObject>

#include <functional>
#include <utility>

namespace calibscope {

/// Escape leaves a field, whatever it does elsewhere.
class EscapeFilter : public QObject
{
public:
    EscapeFilter(std::function<void()> leave, QObject* parent)
        : QObject(parent), m_leave(std::move(leave))
    {}

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const bool isKey =
            event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
        if (!isKey || static_cast<QKeyEvent&>(*event).key() != Qt::Key_Escape)
            return QObject::eventFilter(watched, event);
        event->accept();
        if (event->type() == QEvent::KeyPress)
            m_leave();
        return true;
    }

private:
    std::function<void()> m_leave;
};

}  // namespace calibscope
