#pragma once

#include <QAbstractEventDispatcher>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <functional>

namespace calibscope::test {

/// Waits until nothing is pending: no event, no one-shot timer of the object or what it owns (rows
/// that are shown a moment later), and what is asked for besides. False if that takes a minute.
[[nodiscard]] inline bool becomesQuiet(
    const QObject& object, const std::function<bool()>& isDone = [] { return true; })
{
    constexpr int patienceMs = 60000;
    const auto isPending = [](const QTimer* timer) {
        return timer->isActive() && timer->isSingleShot();
    };
    const auto isQuiet = [&] {
        while (QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents)) {
        }
        return isDone() && std::ranges::none_of(object.findChildren<QTimer*>(), isPending);
    };
    return QTest::qWaitFor(isQuiet, patienceMs);
}

}  // namespace calibscope::test
