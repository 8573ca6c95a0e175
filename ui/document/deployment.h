// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/tables/check_report.h"
#include "core/report/tables/deploy_plan.h"
#include "ui/document/document.h"
#include "ui/queries/tool_run.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <optional>

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

    enum class Step { Plan, Write, Check };
    /// Why it can't be started now, as a sentence; empty: it can, or another one is running.
    [[nodiscard]] QString obstacle(Step step) const;
    /// Whether it can be started now.
    [[nodiscard]] bool canStart(Step step) const { return !m_running && obstacle(step).isEmpty(); }
    void start(Step step);
    void cancel();
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

    /// For tests.
    [[nodiscard]] ToolRun& tool() { return m_tool; }
    void showReport(const CheckReport& report);
    void showPlan(const DeployPlan& plan);

Q_SIGNALS:
    void changed();
    void progressed();  ///< of the step that is running

private:
    void forget();
    void runTool();
    void take(const ToolEnd& end);
    [[nodiscard]] QStringList materializeWords() const;
    [[nodiscard]] QStringList checkWords() const;
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
};

}  // namespace calibscope
