// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/check_report.h"
#include "core/report/tables/deploy_plan.h"
#include "core/results/improvement_results.h"
#include "core/results/ladder_results.h"
#include "ui/document/document.h"
#include "ui/queries/tool_run.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace calibscope {

/// Options for the written model and its check. Words are those of the command line.
struct DeployOptions
{
    QString model;   ///< the recorded one; empty: not chosen yet
    QString output;  ///< empty: not chosen yet
    QString places = QStringLiteral("layers");
    QString activations = QStringLiteral("int8");
    QString biases = QStringLiteral("float");
    QString target = QStringLiteral("any");
    QString weightsTo = QStringLiteral("auto");
    QString runner;   ///< empty: the one that comes with calib
    int samples = 0;  ///< 0: all
    int draws = 0;    ///< of rounding errors, next to the check itself
    bool operator==(const DeployOptions&) const = default;
};

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

    enum class Step {
        Plan,
        Write,
        Check,
        Improve,        ///< remedies of layers and their gains
        Climb,          ///< models with one remedy after the other, run
        WriteImproved,  ///< the remedies that are ticked, or a model with those that hold at its end
    };
    /// Why it can't be started now, as a sentence; empty: it can, or another one is running.
    [[nodiscard]] QString obstacle(Step step) const;
    /// Whether it can be started now.
    [[nodiscard]] bool canStart(Step step) const { return !m_running && obstacle(step).isEmpty(); }
    void start(Step step);
    /// A name that ends in .onnx is the model's.
    void writeImproved(const QString& path);
    void cancel();
    /// A command that does the same as that step; `session` is the file that the user saves.
    [[nodiscard]] QString commandLine(Step step, const QString& session) const;
    [[nodiscard]] std::optional<Step> running() const { return m_running; }
    /// Progress of the running step; empty: not reported yet.
    [[nodiscard]] const QString& progress() const { return m_progress; }

    /// Why the last step failed, in sentences; empty: it did not.
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// What is planned for the decisions as they are; nothing: it was not asked for since they
    /// changed.
    [[nodiscard]] const std::optional<DeployPlan>& plan() const { return m_plan; }
    /// The model is written as it was planned.
    [[nodiscard]] bool isWritten() const { return m_isWritten; }
    [[nodiscard]] const std::optional<CheckReport>& report() const { return m_report; }

    /// The layers with their remedies; nothing: not computed for these decisions.
    [[nodiscard]] const std::optional<ImprovementReport>& improvements() const
    {
        return m_improvements;
    }
    /// The remedies that were left out as these were computed.
    [[nodiscard]] const std::set<std::string>& improvedWithout() const { return m_without; }
    /// The models of the ladder; empty: it was not climbed under these decisions and ticks.
    [[nodiscard]] const std::vector<LadderRung>& rungs() const { return m_rungs; }
    /// Before and after, and what was done.
    [[nodiscard]] const QString& ladderText() const { return m_ladderText; }
    /// The file that was written of the remedies as they are; empty: none.
    [[nodiscard]] const QString& improvedFile() const { return m_writtenImproved; }

    /// For tests.
    [[nodiscard]] ToolRun& tool() { return m_tool; }
    void showReport(const CheckReport& report);
    void showPlan(const DeployPlan& plan);
    void showImprovements(const ImprovementReport& improvements);
    void showLadder(const std::vector<LadderRung>& rungs, const QString& text);

Q_SIGNALS:
    void changed();
    void progressed();  ///< of the step that is running

private:
    void forget();
    void forgetModel();
    void forgetLadder();
    void runTool();
    void take(const ToolEnd& end);
    void takeOutput(Step step, const ToolEnd& end);
    [[nodiscard]] bool climbs(Step step) const;
    [[nodiscard]] QStringList materializeWords(Step step) const;
    [[nodiscard]] QStringList checkWords() const;
    [[nodiscard]] QStringList improveWords(Step step, const QString& session) const;
    [[nodiscard]] QString sessionFile() const
    {
        return m_folder.filePath(QStringLiteral("now.calsession"));
    }

    Document& m_document;
    SaveSession m_saveSession;
    DeployOptions m_options;
    ToolRun m_tool;
    QTemporaryDir m_folder;
    std::optional<Step> m_running;
    QString m_progress;
    QString m_problem;
    std::optional<DeployPlan> m_plan;
    bool m_isWritten = false;
    std::optional<CheckReport> m_report;
    std::optional<ImprovementReport> m_improvements;
    std::set<std::string> m_without;
    std::set<std::string> m_askedWithout;  ///< of the step that is running
    std::vector<LadderRung> m_rungs;
    QString m_ladderText;
    QString m_improvedPath;  ///< where the next are written
    QString m_writtenImproved;
};

}  // namespace calibscope
