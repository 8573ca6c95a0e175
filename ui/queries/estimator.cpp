// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/estimator.h"

#include "core/recipes/estimate.h"

#include <utility>

namespace calibscope {

Estimator::Estimator(QObject* parent) : QObject(parent)
{
    m_begun.moveToThread(&m_thread);
}

Estimator::~Estimator()
{
    m_thread.quit();
    m_thread.wait();
}

void Estimator::want(const Profile& profile, const std::vector<Choice>& choices)
{
    m_profile = profile;
    m_waiting.assign(choices.begin(), choices.end());
    startNext();
}

void Estimator::startNext()
{
    if (m_isWorking)
        return;
    if (m_waiting.empty()) {
        Q_EMIT idle();
        return;
    }
    const Choice choice = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_isWorking = true;
    m_thread.start();  // once
    m_begun.post([this, profile = m_profile, choice] {
        const Outcome outcome = canEstimate(*profile, choice)
                                    ? estimateOutcome(*profile, choice)
                                    : Outcome{.choice = choice, .problem = "not estimated"};
        m_finished.post([this, profile, outcome] { finish(profile, outcome); });
    });
}

void Estimator::finish(const Profile& profile, const Outcome& outcome)
{
    m_isWorking = false;
    if (outcome.problem.empty())
        Q_EMIT estimated(profile.get(), outcome);
    startNext();
}

}  // namespace calibscope
