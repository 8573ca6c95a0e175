// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace calibscope {

/// Work for the thread in which the mailbox lives, from any other.
///
/// Qt's queue only wakes the receiver; what is handed over passes a lock of our own, which the
/// thread sanitizer sees: Qt itself is compiled without it.
class Mailbox : public QObject
{
    Q_OBJECT

public:
    using Letter = std::function<void()>;

    using QObject::QObject;

    /// Letters are run one by one by the event loop, in the order of their posts; those that are
    /// left when the mailbox ends are not.
    void post(Letter letter);

private:
    void readNext();

    std::mutex m_mutex;
    std::deque<Letter> m_letters;
};

}  // namespace calibscope
