// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "core/stats/profile.h"
#include "ui/queries/engine_request.h"
#include "ui/queries/mailbox.h"
#include "ui/queries/query.h"

#include <QCache>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

/// An outcome, or none, that all copies share and nobody changes: of a tensor with thousands of
/// channels it is large, and each part of the window has rows of its own.
class SharedOutcome
{
public:
    SharedOutcome() = default;
    // Implicit, as an outcome is what all of these are.
    SharedOutcome(Outcome outcome) : m_outcome(std::make_shared<const Outcome>(std::move(outcome)))
    {}
    SharedOutcome(const std::optional<Outcome>& outcome)
    {
        if (outcome)
            *this = *outcome;
    }
    /// One of a larger whole, which lives on with it.
    SharedOutcome(std::shared_ptr<const Outcome> outcome) : m_outcome(std::move(outcome)) {}

    explicit operator bool() const { return m_outcome != nullptr; }
    const Outcome& operator*() const { return *m_outcome; }
    const Outcome* operator->() const { return m_outcome.get(); }
    void reset() { m_outcome.reset(); }

private:
    std::shared_ptr<const Outcome> m_outcome;
};

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

/// Outcomes of what is wanted on the tensor that is shown. Those that came with
/// its view are there; for others the engine is asked once the requests rest, for
/// them alone, and until it answers there are estimates. The latest requests win:
/// what is no longer wanted is dropped.
class LiveOutcomes : public QObject
{
    Q_OBJECT

public:
    /// Requests go to the engine when they did not change for so long.
    static constexpr int restMs = 150;

    /// `engine` must outlive it.
    explicit LiveOutcomes(Engine& engine, QObject* parent = nullptr);

    /// The view that is shown, and how it was asked for. Nothing is wanted of it
    /// yet.
    void show(const protocol::ViewRequest& request, const ViewQuery::Shared& view);
    void showNothing();
    /// Showing nothing, it forgets all answers: another dump is open.
    void forget();
    void want(const std::vector<Choice>& choices);

    struct Found
    {
        SharedOutcome outcome;
        bool isEstimate = false;  ///< the engine's answer is still to come
        bool isPending = false;   ///< something better will come
    };
    [[nodiscard]] Found find(const Choice& choice) const;
    /// All that is wanted is there, or could not be had.
    [[nodiscard]] bool isIdle() const { return m_missing.empty(); }

Q_SIGNALS:
    void changed();
    void idle();

private:
    [[nodiscard]] SharedOutcome exact(const Choice& choice) const;
    [[nodiscard]] bool isWanted(const Choice& choice) const;
    void drop();
    void ask();
    void finish(const std::vector<Choice>& asked, Answer<protocol::TensorView> answer);
    void keepEstimate(const TensorProfile* profile, const Outcome& outcome);
    void keepAnswers(std::vector<SharedOutcome> outcomes);
    void completeProfile(const TensorProfile& answered);

    Engine& m_engine;
    Estimator m_estimator;
    QTimer m_rest;
    protocol::ViewRequest m_shown;
    ViewQuery::Shared m_view;
    Estimator::Profile m_profile;            ///< of the view, with what came with answers since
    std::vector<Choice> m_missing;           ///< wanted and not answered
    std::vector<SharedOutcome> m_estimates;  ///< of what is missing
    QCache<TensorRef, std::vector<SharedOutcome>> m_answers;
    EngineRequest m_request;
};

}  // namespace calibscope
