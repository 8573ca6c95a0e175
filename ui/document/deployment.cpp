// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deployment.h"

#include "core/base/error.h"
#include "ui/document/decisions.h"
#include "ui/queries/addresses.h"

#include <QPointer>

#include <utility>

namespace calibscope {

Deployment::Deployment(Document& document, SaveSession saveSession, QObject* parent)
    : QObject(parent), m_document(document), m_saveSession(std::move(saveSession))
{
    connect(&m_tool, &ToolRun::finished, this, &Deployment::take);
    connect(&m_tool, &ToolRun::progressed, this, [this](const QString& what) {
        m_progress = what;
        Q_EMIT progressed();
    });
    connect(&document, &Document::dumpChanged, this, [this] {
        forget();
        Q_EMIT changed();
    });
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.before.decisions == m_document.workbench().decisions)
            return;
        forget();
        Q_EMIT changed();
    });
}

void Deployment::setOptions(const DeployOptions& options)
{
    if (options == m_options)
        return;
    DeployOptions checked = options;
    checked.runner = m_options.runner;
    checked.samples = m_options.samples;
    checked.draws = m_options.draws;
    const bool isSameModel = checked == m_options;
    m_options = options;
    if (isSameModel)
        m_report.reset();
    else
        forget();
    Q_EMIT changed();
}

/// What was found holds no longer; what is running goes on under what it was started with.
void Deployment::forget()
{
    m_plan.reset();
    m_report.reset();
    m_isWritten = false;
    m_problem.clear();
}

QString Deployment::obstacle(Step step) const
{
    if (m_document.dumpState() != Document::DumpState::Open)
        return tr("No dump is open.");
    if (m_options.model.isEmpty())
        return tr("Choose the model that the dump was recorded from.");
    if (step != Step::Check && decidedCount(m_document) == 0)
        return tr("No calibrator is accepted yet.");
    if (step != Step::Plan && m_options.output.isEmpty())
        return tr("Choose the file of the quantized model.");
    return {};
}

void Deployment::start(Step step)
{
    if (!canStart(step))
        return;
    if (isFarAway(m_document.path())) {
        m_problem = tr("%1 lies on %2, where calib can deploy it: save the session, and run calib "
                       "materialize with both there.")
                        .arg(pathThere(m_document.path()), machineOf(m_document.path()));
        Q_EMIT changed();
        return;
    }
    m_running = step;
    m_progress.clear();
    m_problem.clear();
    if (step == Step::Check) {
        m_report.reset();
        runTool();
    } else {
        m_saveSession(sessionFile(), [self = QPointer(this), this](const QString& failure) {
            if (!self || !m_running)
                return;
            if (failure.isEmpty())
                return runTool();
            m_problem = failure;
            m_running.reset();
            Q_EMIT changed();
        });
    }
    Q_EMIT changed();
}

void Deployment::runTool()
{
    m_tool.start(*m_running == Step::Check ? checkWords() : materializeWords());
}

void Deployment::cancel()
{
    if (m_tool.isRunning())
        m_tool.cancel();
    else
        m_running.reset();  // the session is being saved: then nothing is started
    Q_EMIT changed();
}

QStringList Deployment::materializeWords() const
{
    QStringList words{QStringLiteral("materialize"),   m_document.path(),
                      QStringLiteral("--session"),     sessionFile(),
                      QStringLiteral("--onnx"),        m_options.model,
                      QStringLiteral("--places"),      m_options.places,
                      QStringLiteral("--activations"), m_options.activations,
                      QStringLiteral("--bias"),        m_options.biases,
                      QStringLiteral("--target"),      m_options.target,
                      QStringLiteral("--weights-to"),  m_options.weightsTo};
    if (*m_running == Step::Plan)
        words << QStringLiteral("--plan");
    else
        words << QStringLiteral("-o") << m_options.output;
    if (m_document.allowsExternal())
        words << QStringLiteral("--allow-external");
    return words;
}

QStringList Deployment::checkWords() const
{
    QStringList words{QStringLiteral("check"),
                      m_options.model,
                      m_options.output,
                      m_document.path(),
                      QStringLiteral("--format"),
                      QStringLiteral("json"),
                      QStringLiteral("--progress"),
                      QStringLiteral("--samples"),
                      QString::number(m_options.samples),
                      QStringLiteral("--draws"),
                      QString::number(m_options.draws)};
    if (!m_options.runner.trimmed().isEmpty())
        words << QStringLiteral("--runner") << m_options.runner;
    if (m_document.allowsExternal())
        words << QStringLiteral("--allow-external");
    return words;
}

void Deployment::take(const ToolEnd& end)
{
    const Step step = *std::exchange(m_running, std::nullopt);
    m_progress.clear();
    const QString died = tr("calib quit unexpectedly.");
    if (end.kind == ToolEnd::Kind::Died || (end.kind == ToolEnd::Kind::Exited && end.exitCode != 0))
        m_problem = end.said.isEmpty() ? died : end.said;
    else if (end.kind == ToolEnd::Kind::Exited)
        try {
            const std::string text = end.output.toStdString();
            if (step == Step::Check)
                m_report = parseCheckReport(text, "calib check");
            else if (step == Step::Plan)
                m_plan = parseDeployPlan(text, "calib materialize");
            else
                m_isWritten = true;
        } catch (const Error& error) {
            m_problem = QString::fromUtf8(error.what());
        }
    Q_EMIT changed();
}

void Deployment::showReport(const CheckReport& report)
{
    m_report = report;
    Q_EMIT changed();
}

void Deployment::showPlan(const DeployPlan& plan)
{
    m_plan = plan;
    Q_EMIT changed();
}

}  // namespace calibscope
