// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/document/deploy_command.h"
#include "ui/document/deploy_results.h"
#include "ui/document/document.h"
#include "ui/queries/engine_request.h"
#include "ui/queries/file_watch.h"
#include "ui/queries/tool_run.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// The remedies, as the command line names them.
inline constexpr std::array remedyWords = {"precision", "channels", "rounding", "bias"};

/// From the decisions on the shown dump to a model that was checked: `calib` plans, writes and
/// checks in a process of its own.
class Deployment : public QObject
{
    Q_OBJECT

public:
    /// Writes the session as it is now into that file, and tells what failed; empty: nothing.
    using SaveSession =
        std::function<void(const QString& path, std::function<void(const QString& failure)> told)>;

    Deployment(Document& document, SaveSession saveSession, QObject* parent = nullptr);

    [[nodiscard]] Document& document() const { return m_document; }
    [[nodiscard]] const DeployOptions& options() const { return m_options; }
    /// What was planned, written or checked under others holds no longer.
    void setOptions(const DeployOptions& options);

    using Step = DeployStep;
    /// Why it can't be started now, as a sentence; empty: it can, or another one is running.
    [[nodiscard]] QString obstacle(Step step) const;
    /// Whether it can be started now.
    [[nodiscard]] bool canStart(Step step) const { return !m_running && obstacle(step).isEmpty(); }
    /// Plan and Write begin with Improve where the ticked remedies have to be computed first.
    void start(Step step);
    /// Whether the model was checked before the decisions, ticks or options changed.
    [[nodiscard]] bool isOutdated() const { return m_formerDb && !m_found.report; }
    [[nodiscard]] bool canCheckAgain() const { return isOutdated() && canStart(Step::Write); }
    /// Writes and checks the model as it is decided now.
    void checkAgain();
    /// A name that ends in .onnx is the model's.
    void writeImproved(const QString& path);
    void cancel();
    /// A command that does the same as that step; `session` is the file that the user saves.
    [[nodiscard]] QString commandLine(Step step, const QString& session) const;
    [[nodiscard]] std::optional<Step> running() const { return m_running; }
    /// Decisions have changed since the last step was started: its results belong to the earlier
    /// ones, and return with them.
    [[nodiscard]] bool isOfEarlier() const;
    /// Progress of the running step; empty: not reported yet.
    [[nodiscard]] const QString& progress() const { return m_progress; }

    /// Inputs and outputs of the model, for the dump; nothing: not known.
    [[nodiscard]] const std::optional<protocol::ModelPorts>& ports() const { return m_ports; }
    /// Inputs that were not recorded and have no value.
    [[nodiscard]] QStringList unfedInputs() const;
    /// Several outputs, and none is chosen.
    [[nodiscard]] bool isEndOpen() const
    {
        return m_ports && m_ports->outputs.size() > 1 && m_document.workbench().run.end.empty();
    }
    /// The chosen model, or the folder to write to, that does not exist; empty: both do, or are not
    /// chosen.
    [[nodiscard]] QString missingPath() const;
    /// Why the last step failed, in sentences; empty: it did not.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// Whose fault that is; nothing where it is not known, or there is no problem.
    [[nodiscard]] std::optional<Fault> fault() const { return m_fault; }
    /// The step that failed; without meaning where there is no problem.
    [[nodiscard]] Step failedStep() const { return m_failedStep; }
    /// What is planned for the decisions as they are; nothing: it was not asked for since they
    /// changed.
    [[nodiscard]] const std::optional<DeployPlan>& plan() const { return m_found.plan; }
    /// The model is written as it was planned.
    [[nodiscard]] bool isWritten() const { return m_found.isWritten; }
    /// The number of remedies in it.
    [[nodiscard]] std::size_t writtenRemedies() const { return m_writtenRemedies; }
    [[nodiscard]] const std::optional<CheckReport>& report() const { return m_found.report; }
    /// The output with the lowest SQNR as written; null: not checked, or equal or unknown.
    [[nodiscard]] const OutputCheck* lowestOutput() const;
    /// Its SQNR in dB.
    [[nodiscard]] std::optional<double> checkedDb() const;
    /// The same of the check before.
    [[nodiscard]] std::optional<double> formerDb() const { return m_formerDb; }

    /// The layers with their remedies; nothing: not computed for these decisions.
    [[nodiscard]] const std::optional<ImprovementReport>& improvements() const
    {
        return m_found.improvements;
    }
    /// The remedies that were left out as these were computed.
    [[nodiscard]] const std::set<std::string>& improvedWithout() const { return m_found.without; }
    /// Whether a remedy of a layer is to be written; nothing: it was not chosen, nor left out.
    [[nodiscard]] std::optional<bool> isTicked(const LayerImprovement& layer,
                                               const std::string& remedy) const;
    [[nodiscard]] std::size_t tickedRemedies() const;
    /// Whether there are remedies for the model: ticked ones, or, not computed for these decisions
    /// yet, those that the last model had.
    [[nodiscard]] bool hasRemedies() const
    {
        return m_found.improvements ? tickedRemedies() > 0 : m_writtenRemedies > 0;
    }
    /// The models of the ladder; empty: it was not climbed under these decisions and ticks.
    [[nodiscard]] const std::vector<LadderRung>& rungs() const { return m_found.rungs; }
    /// Before and after, and what was done.
    [[nodiscard]] const QString& ladderText() const { return m_found.ladderText; }
    /// The file that was written of the remedies as they are; empty: none.
    [[nodiscard]] const QString& improvedFile() const { return m_found.writtenImproved; }

    /// The table of the network's end, next to the dump: NAME.end.json.
    [[nodiscard]] QString endFile() const { return command({}).endFile(); }
    /// Shares of the noise there under these decisions, 0 to 1, by tensor; empty: not read yet.
    [[nodiscard]] const std::vector<std::optional<double>>& endShares() const
    {
        return m_found.endShares;
    }

    /// The choices with the least noise there, on top of these decisions; empty: not read yet.
    [[nodiscard]] const std::vector<BestRow>& endBest() const { return m_found.endBest; }
    /// The budget under these decisions; empty: not read yet.
    [[nodiscard]] const std::vector<BudgetRow>& budget() const { return m_found.budget; }
    /// Accepts a point of it as one step: inputs of layers in int16 get what was accepted for them in
    /// 16 bits, operands of layers in float have no decision any more. Returns that in a sentence,
    /// with the number of names that the dump does not have.
    QString takeBudget(const BudgetRow& point);

    /// For tests.
    [[nodiscard]] ToolRun& tool() { return m_tool; }
    void showReport(const CheckReport& report);
    void showPlan(const DeployPlan& plan);
    void showImprovements(const ImprovementReport& improvements);
    void showLadder(const std::vector<LadderRung>& rungs, const QString& text);
    void showBudget(const std::vector<BudgetRow>& budget);

Q_SIGNALS:
    void changed();
    void progressed();  ///< of the step that is running
    void improvedWritten(const QString& path);

private:
    void followDocument(const DocumentChange& change);
    void followRun(const ModelRun& before);
    void askPorts();
    void forget();
    void followEndFile();
    void forgetReport();
    void forgetModel();
    void run(Step step);
    void copyRemedies();
    void runTool();
    /// `of`: what they were measured for.
    void keepGains(const ImprovementReport& improvements, const Workbench& of);
    void keepGains(const std::vector<LadderRung>& rungs, const Workbench& of);
    void fail(const QString& problem);
    void setProblem(const QString& problem, std::optional<Fault> fault = {});
    void take(const ToolEnd& end);
    [[nodiscard]] std::vector<std::optional<double>>
    sharesOf(const std::vector<OperandShare>& shares) const;
    void takeOutput(Step step, const ToolEnd& end, DeployResults& found, bool isOfTicks);
    [[nodiscard]] DeployCommand command(const QString& session) const;
    /// Plan and Write take them.
    [[nodiscard]] bool usesRemedies() const { return m_options.improves && hasRemedies(); }
    [[nodiscard]] QString sessionFile() const
    {
        return m_folder.filePath(QStringLiteral("now.calsession"));
    }

    Document& m_document;
    SaveSession m_saveSession;
    DeployOptions m_options;
    ToolRun m_tool;
    QTemporaryDir m_folder;
    FileWatch m_endWatch;
    std::optional<protocol::ModelPorts> m_ports;
    EngineRequest m_portsRequest;
    std::optional<Step> m_running;
    std::vector<Step> m_next;  ///< that follow it, where it ends well
    QString m_progress;
    QString m_problem;
    std::optional<Fault> m_fault;  ///< of the problem
    Step m_failedStep = Step::Plan;
    DeployResults m_found;
    StoredResults m_stored;
    std::size_t m_writtenRemedies = 0;
    std::optional<double> m_formerDb;
    Workbench m_asked;    ///< decisions, ticks and run of the step that is running
    QString m_askedPath;  ///< likewise its dump, model and remedies
    QString m_askedModel;
    std::size_t m_askedRemedies = 0;
    QString m_remediesFile;  ///< of the last Improve
    int m_improveRuns = 0;
    QString m_improvedPath;  ///< where the next are written
};

}  // namespace calibscope
