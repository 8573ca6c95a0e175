// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractEventDispatcher>
#include <QCoreApplication>
#include <QEvent>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <utility>

namespace calibscope::test {

/// Counts what is delivered to any object of this thread.
class DeliveredEvents : public QObject
{
public:
    DeliveredEvents() { QCoreApplication::instance()->installEventFilter(this); }
    /// Since the last call.
    [[nodiscard]] int take() { return std::exchange(m_count, 0); }

    bool eventFilter(QObject*, QEvent*) override
    {
        ++m_count;
        return false;
    }

private:
    int m_count = 0;
};

/// Waits until nothing is pending: no event, no one-shot timer of the object or what it owns (rows
/// that are shown a moment later), and what is asked for besides. False if that takes a minute.
///
/// A dispatcher counts no posted events, and one leads to the next: a widget of a strip that has
/// just been shown is shown by one, laid out by another, and its predecessor deleted by a third.
[[nodiscard]] inline bool becomesQuiet(
    const QObject& object, const std::function<bool()>& isDone = [] { return true; })
{
    constexpr int mostMs = 60000;
    const auto isPending = [](const QTimer* timer) {
        return timer->isActive() && timer->isSingleShot();
    };
    DeliveredEvents delivered;
    const auto isQuiet = [&] {
        do {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents);
        } while (delivered.take() > 0);
        return isDone() && std::ranges::none_of(object.findChildren<QTimer*>(), isPending);
    };
    return QTest::qWaitFor(isQuiet, mostMs);
}

}  // namespace calibscope::test
