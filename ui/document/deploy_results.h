// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/check_report.h"
#include "core/report/tables/deploy_plan.h"
#include "core/report/tables/end_report.h"
#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"
#include "ui/document/workbench.h"

#include <QString>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// Results of a Deployment's steps for one state of the decisions.
struct DeployResults
{
    std::optional<DeployPlan> plan = {};
    bool isWritten = false;
    std::optional<CheckReport> report = {};
    std::optional<ImprovementReport> improvements = {};
    QString remediesFile = {};           ///< of these improvements
    std::set<std::string> without = {};  ///< remedies left out of them
    std::vector<LadderRung> rungs = {};
    QString ladderText = {};
    QString writtenImproved = {};
    std::vector<std::optional<double>> endShares = {};
    std::vector<BestRow> endBest = {};
    std::vector<BudgetRow> budget = {};

    [[nodiscard]] bool isEmpty() const;
    /// All that was read from the table of the network's end.
    void forgetEnd();
    void forgetLadder();
    /// The file is another one.
    void forgetWritten();
};

/// Results for decisions that are not the present ones, and may be again by Undo: of the last eight
/// states that have any.
class StoredResults
{
public:
    using Decisions = decltype(Workbench::decisions);
    struct State
    {
        Decisions decisions = {};
        std::set<std::string> leftOut = {};
        std::optional<double> formerDb = {};
        DeployResults results = {};
    };

    /// The results for these decisions and ticks; a new, empty entry if there are none. Valid until
    /// the next call.
    State& of(const Decisions& decisions, const std::set<std::string>& leftOut);
    /// Removes that state and returns it; nothing without one.
    [[nodiscard]] std::optional<State> take(const Decisions& decisions);
    void clear() { m_states.clear(); }
    void forgetEnd();
    void forgetWritten();

private:
    std::vector<State> m_states;  ///< the latest last
};

}  // namespace calibscope
