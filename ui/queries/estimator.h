// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/stats/profile.h"
#include "ui/queries/mailbox.h"

#include <QObject>
#include <QThread>

#include <deque>
#include <memory>
#include <vector>

namespace calibscope {

/// Estimates outcomes from a profile, on a thread of its own: a search
/// over thousands of bins takes longer than a slider may wait. The latest request
/// wins.
class Estimator : public QObject
{
    Q_OBJECT

public:
    using Profile = std::shared_ptr<const TensorProfile>;

    explicit Estimator(QObject* parent = nullptr);
    /// Waits for the estimate at work.
    ~Estimator() override;

    /// Replaces the requests that were not begun yet. What can't be estimated is
    /// left out.
    void want(const Profile& profile, const std::vector<Choice>& choices);
    /// Nothing is at work and nothing waits.
    [[nodiscard]] bool isIdle() const { return !m_isWorking && m_waiting.empty(); }

Q_SIGNALS:
    /// `profile`: what it was estimated from.
    void estimated(const calibscope::TensorProfile* profile, const calibscope::Outcome& outcome);
    void idle();

private:
    void startNext();
    void finish(const Profile& profile, const Outcome& outcome);

    QThread m_thread;
    Mailbox m_begun;  ///< lives in the thread
    Mailbox m_finished;
    Profile m_profile;
    std::deque<Choice> m_waiting;
    bool m_isWorking = false;
};

}  // namespace calibscope
