// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/mailbox.h"

#include <utility>

namespace calibscope {

void Mailbox::post(Letter letter)
{
    {
        const std::lock_guard lock(m_mutex);
        m_letters.push_back(std::move(letter));
    }
    QMetaObject::invokeMethod(this, &Mailbox::readNext, Qt::QueuedConnection);
}

void Mailbox::readNext()
{
    Letter letter;
    {
        const std::lock_guard lock(m_mutex);
        letter = std::move(m_letters.front());
        m_letters.pop_front();
    }
    letter();
}

}  // namespace calibscope
