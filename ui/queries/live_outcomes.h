// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine_request.h"
#include "ui/queries/estimator.h"
#include "ui/queries/query.h"
#include "ui/queries/shared_outcome.h"

#include <QCache>
#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace calibscope {

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
