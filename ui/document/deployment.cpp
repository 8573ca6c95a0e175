// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deployment.h"

#include "core/base/error.h"
#include "core/base/location.h"
#include "core/graph/named_tensors.h"
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"
#include "ui/document/decisions.h"
#include "ui/document/measured_gains.h"
#include "ui/document/session_document.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/theme/translate.h"

#include <QFile>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <array>
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
        m_stored.clear();
        m_endWatch.watch({});
        m_formerDb.reset();
        m_writtenRemedies = 0;
        askPorts();
        Q_EMIT changed();
    });
    connect(&document, &Document::changed, this, &Deployment::followDocument);
    connect(&m_endWatch, &FileWatch::changed, this, &Deployment::followEndFile);
    connect(&m_endWatch, &FileWatch::disappeared, this, &Deployment::followEndFile);
}

bool Deployment::isOfEarlier() const
{
    return m_asked.decisions != m_document.workbench().decisions;
}

/// Results are stored with the decisions that they are of, and are back with these.
void Deployment::followDocument(const DocumentChange& change)
{
    const Workbench& now = m_document.workbench();
    if (change.before.run != now.run)
        followRun(change.before.run);
    const bool isOther = change.before.decisions != now.decisions;
    if (!isOther && change.before.leftOut == now.leftOut)
        return;
    bool areOtherTicks = !isOther;
    if (isOther) {
        if (!m_found.isEmpty()) {
            StoredResults::State& state =
                m_stored.of(change.before.decisions, change.before.leftOut);
            state.formerDb = m_formerDb;
            state.results = m_found;
        }
        forget();
        if (std::optional<StoredResults::State> state = m_stored.take(now.decisions)) {
            m_found = std::move(state->results);
            m_formerDb = state->formerDb;
            areOtherTicks = state->leftOut != now.leftOut;
        }
        setProblem(m_running && isOfEarlier()
                       ? tr("Decisions have changed since this was started: its results are of "
                            "the earlier ones, and are shown once these are back (Undo).")
                       : QString());
    }
    if (areOtherTicks) {
        m_found.forgetLadder();
        if (usesRemedies())
            forgetModel();
    }
    Q_EMIT changed();
}

/// What was run under the values before holds no longer.
void Deployment::followRun(const ModelRun& before)
{
    const ModelRun& now = m_document.workbench().run;
    m_stored.clear();
    m_found.forgetLadder();
    if (before.feeds != now.feeds) {
        forgetReport();
        m_formerDb.reset();
    }
    setProblem({});
    Q_EMIT changed();
}

void Deployment::askPorts()
{
    m_ports.reset();
    m_portsRequest.drop();
    const QString& model = m_options.model;
    if (m_document.dumpState() != Document::DumpState::Open || model.isEmpty() ||
        isFarAway(model) || isFarAway(m_document.path()))
        return;
    m_portsRequest = m_document.questions().inBackground().ask(
        protocol::PortsRequest{.path = m_document.path().toStdString(),
                               .allowExternal = m_document.allowsExternal(),
                               .model = model.toStdString()},
        [this](const Answer<protocol::ModelPorts>& answer) {
            m_ports = answer.value;
            Q_EMIT changed();
        });
}

QStringList Deployment::unfedInputs() const
{
    QStringList names;
    if (m_ports)
        for (const std::string& input : m_ports->unrecorded)
            if (!m_document.workbench().run.feeds.contains(input))
                names += QString::fromStdString(input);
    return names;
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
    DeployOptions elsewhere = options;
    elsewhere.output = m_options.output;
    const bool isSamePlan = elsewhere == m_options;
    const DeployOptions before = std::exchange(m_options, options);
    m_stored.clear();
    if (isSameModel) {
        forgetReport();
        m_formerDb.reset();  // of other samples, or by another runtime
    } else if (isSamePlan) {
        forgetReport();
        m_found.isWritten = false;
    } else
        forgetModel();
    const bool isOtherGraph = before.model != options.model;
    if (isOtherGraph) {
        m_found.improvements.reset();
        m_found.forgetEnd();
        m_formerDb.reset();
        m_writtenRemedies = 0;
        askPorts();
    }
    if (isOtherGraph || before.places != options.places || before.runner != options.runner)
        m_found.forgetLadder();
    Q_EMIT changed();
}

/// What was found holds no longer; what is running goes on under what it was started with.
void Deployment::forget()
{
    forgetModel();
    m_found = {};
}

/// The table of the end is another one.
void Deployment::followEndFile()
{
    m_found.forgetEnd();
    m_stored.forgetEnd();
    Q_EMIT changed();
}

QString Deployment::missingPath() const
{
    if (m_options.model.isEmpty() || isFarAway(m_options.model))
        return {};
    if (!QFileInfo::exists(m_options.model))
        return m_options.model;
    const QString folder = QFileInfo(m_options.output).path();
    return m_options.output.isEmpty() || QFileInfo(folder).isDir() ? QString() : folder;
}

void Deployment::forgetReport()
{
    if (m_found.report)
        m_formerDb = checkedDb();
    m_found.report.reset();
}

void Deployment::forgetModel()
{
    m_found.plan.reset();
    forgetReport();
    m_found.isWritten = false;
    setProblem({});
}

QString Deployment::obstacle(Step step) const
{
    if (m_document.dumpState() != Document::DumpState::Open)
        return tr("No dump is open.");
    const bool isOfLayers = step == Step::Improve || step == Step::WriteImproved;
    if (m_options.model.isEmpty() && !isOfLayers)
        return tr("Choose the model that the dump was recorded from.");
    if (step != Step::Check && decidedCount(m_document) == 0)
        return tr("No calibrator is accepted yet.");
    if ((step == Step::Write || step == Step::Check) && m_options.output.isEmpty())
        return tr("Choose the file of the quantized model.");
    const bool isRun = step == Step::Check || step == Step::Climb || step == Step::Measure;
    if (const QStringList inputs = unfedInputs(); isRun && !inputs.isEmpty())
        return tr("The model has inputs that were not recorded: give a number for %1.")
            .arg(inputs.join(QStringLiteral(", ")));
    if (step == Step::Measure && isEndOpen())
        return tr("The model has several outputs: choose the one that is measured.");
    if (step >= Step::Shares && !QFileInfo::exists(endFile()))
        return tr("There is no table of the network's end next to the dump, %1: on page Improve, "
                  "Budget, Measure the end makes it.")
            .arg(QFileInfo(endFile()).fileName());
    return {};
}

void Deployment::start(Step step)
{
    if (!canStart(step))
        return;
    m_failedStep = step;
    if (isFarAway(m_document.path()))
        return fail(
            tr("%1 lies on %2, where calib can do this: save the session, and run calib %3 with "
               "both there.")
                .arg(pathThere(m_document.path()), machineOf(m_document.path()),
                     step >= Step::Improve ? QStringLiteral("improve")
                     : step == Step::Check ? QStringLiteral("check")
                                           : QStringLiteral("materialize")));
    const bool needsRemedies = step == Step::WriteImproved
                                   ? !command({}).climbs(step)
                                   : usesRemedies() && (step == Step::Plan || step == Step::Write);
    const bool isComputed = m_found.improvements &&
                            m_found.without == m_document.workbench().leftOut &&
                            QFileInfo::exists(m_found.remediesFile);
    setProblem({});
    m_next = {step};
    if (needsRemedies && !isComputed)
        m_next = {Step::Improve, step};
    run(m_next.front());
}

void Deployment::checkAgain()
{
    start(Step::Write);
    if (m_running)
        m_next.push_back(Step::Check);
}

void Deployment::fail(const QString& problem)
{
    setProblem(problem);
    m_next.clear();
    Q_EMIT changed();
}

void Deployment::setProblem(const QString& problem, std::optional<Fault> fault)
{
    m_problem = problem;
    m_fault = fault;
}

/// The first of m_next.
void Deployment::run(Step step)
{
    m_next.erase(m_next.begin());
    if (step == Step::WriteImproved && !command({}).climbs(step))
        return copyRemedies();
    m_running = step;
    m_failedStep = step;
    m_progress.clear();
    setProblem({});
    m_askedPath = m_document.path();
    m_askedModel = m_options.model;
    m_asked = m_document.workbench();
    m_askedRemedies = usesRemedies() ? tickedRemedies() : 0;
    if (step >= Step::Shares)
        m_endWatch.watch(endFile());
    if (step == Step::Check) {
        forgetReport();
        runTool();
    } else {
        m_saveSession(sessionFile(), [self = QPointer(this), this](const QString& failure) {
            if (!self || !m_running)
                return;
            if (failure.isEmpty())
                return runTool();
            m_running.reset();
            fail(failure);
        });
    }
    Q_EMIT changed();
}

/// Improve has written what the user wants.
void Deployment::copyRemedies()
{
    m_failedStep = Step::WriteImproved;
    try {
        QFile made(m_found.remediesFile);
        if (!made.open(QIODevice::ReadOnly))
            throw Error(Fault::Input, made.errorString().toStdString());
        const QByteArray remedies = made.readAll();
        if (made.error() != QFileDevice::NoError)
            throw Error(Fault::Input, made.errorString().toStdString());
        writeWhole(m_improvedPath, remedies.toStdString());
        m_found.writtenImproved = m_improvedPath;
    } catch (const Error& error) {
        setProblem(QString::fromUtf8(error.what()), error.fault());
        return Q_EMIT changed();
    }
    Q_EMIT changed();
    Q_EMIT improvedWritten(m_improvedPath);
}

void Deployment::runTool()
{
    DeployCommand asked = command(sessionFile());
    if (*m_running == Step::Improve)
        asked.remediesWanted = m_remediesFile =
            m_folder.filePath(QStringLiteral("improvements%1.json").arg(++m_improveRuns));
    m_tool.start(asked.words(*m_running) + DeployCommand::wordsOfOutput(*m_running));
}

void Deployment::writeImproved(const QString& path)
{
    m_improvedPath = path;
    m_failedStep = Step::WriteImproved;
    const QString why = command({}).climbs(m_failedStep) ? obstacle(Step::Climb) : QString();
    if (!why.isEmpty() && !m_running)
        return fail(why);
    start(Step::WriteImproved);
}

void Deployment::cancel()
{
    if (m_tool.isRunning())
        m_tool.cancel();
    else
        m_running.reset();  // the session is being saved: then nothing is started
    m_next.clear();
    Q_EMIT changed();
}

const OutputCheck* Deployment::lowestOutput() const
{
    const OutputCheck* lowest = nullptr;
    if (m_found.report)
        for (const OutputCheck& output : m_found.report->outputs)
            if (const std::optional<double>& db = output.asWritten.sqnrDb;
                db && (!lowest || *db < *lowest->asWritten.sqnrDb))
                lowest = &output;
    return lowest;
}

std::optional<double> Deployment::checkedDb() const
{
    const OutputCheck* lowest = lowestOutput();
    return lowest ? lowest->asWritten.sqnrDb : std::nullopt;
}

std::optional<bool> Deployment::isTicked(const LayerImprovement& layer,
                                         const std::string& remedy) const
{
    const std::string id = layer.decided.layer + ':' + remedy;
    const auto row = std::ranges::find(layer.rows, remedy, &RemedyResult::remedy);
    if (row == layer.rows.end() || (!row->isChosen && !m_found.without.contains(id)))
        return std::nullopt;
    return !m_document.workbench().leftOut.contains(id);
}

std::size_t Deployment::tickedRemedies() const
{
    std::size_t count = 0;
    if (m_found.improvements)
        for (const LayerImprovement& layer : m_found.improvements->layers)
            for (const char* remedy : remedyWords)
                count += isTicked(layer, remedy).value_or(false) ? 1U : 0U;
    return count;
}

DeployCommand Deployment::command(const QString& session) const
{
    return {.document = m_document,
            .options = m_options,
            .session = session,
            .remediesFile = usesRemedies() ? m_found.remediesFile : QString(),
            .improvedPath = m_improvedPath};
}

QString Deployment::commandLine(Step step, const QString& session) const
{
    QStringList words{QStringLiteral("calib")};
    // Without a table, what measures one.
    const bool isMeasured = QFileInfo::exists(endFile());
    for (const QString& word :
         command(session).words(step >= Step::Shares && !isMeasured ? Step::Measure : step))
        words << QString::fromStdString(shellQuoted(word.toStdString()));
    return words.join(u' ');
}

void Deployment::take(const ToolEnd& end)
{
    const Step step = *std::exchange(m_running, std::nullopt);
    m_progress.clear();
    setProblem({});  // reported while it ran
    const bool isWhole = end.kind == ToolEnd::Kind::Exited && end.exitCode == 0;
    // Some tensors alone could not be decided: there are rows of all others.
    constexpr int someData = 3;
    const bool hasRows = end.kind == ToolEnd::Kind::Exited && end.exitCode == someData &&
                         step >= Step::Improve && !end.output.isEmpty();
    const bool isOther =
        m_askedPath != m_document.path() || m_askedModel != m_options.model ||
        (command({}).runsModels(step) && m_asked.run != m_document.workbench().run);
    if (!isWhole && !isOther && end.kind != ToolEnd::Kind::Cancelled)
        setProblem(end.said.isEmpty() ? tr("calib quit unexpectedly.") : end.said,
                   end.kind == ToolEnd::Kind::Exited ? faultFromExitCode(end.exitCode)
                                                     : std::nullopt);
    bool isTaken = (isWhole || hasRows) && !isOther;
    if (isTaken)
        try {
            const bool isEarlier = isOfEarlier();
            takeOutput(step, end,
                       isEarlier ? m_stored.of(m_asked.decisions, m_asked.leftOut).results
                                 : m_found,
                       isEarlier || m_asked.leftOut == m_document.workbench().leftOut);
            isTaken = !isEarlier;
            if (isEarlier)
                setProblem(tr("Decisions changed while it ran: its results are of the earlier "
                              "ones, and are shown once these are back (Undo)."));
        } catch (const Error& error) {
            isTaken = false;
            setProblem(QString::fromUtf8(error.what()));
        }
    if (isTaken && !m_next.empty()) {
        if (step == Step::Improve && m_found.without != m_document.workbench().leftOut)
            m_next.insert(m_next.begin(), step);  // ticks changed meanwhile
        return run(m_next.front());
    }
    m_next.clear();
    Q_EMIT changed();
    if (isTaken && step == Step::WriteImproved)
        Q_EMIT improvedWritten(m_improvedPath);
}

std::vector<std::optional<double>>
Deployment::sharesOf(const std::vector<OperandShare>& shares) const
{
    const NamedTensors named(m_document.tensors());
    std::vector<std::optional<double>> found(named.tensors().size());
    for (const OperandShare& operand : shares)
        if (const auto tensor =
                operand.isWeight ? named.weight(operand.tensor) : named.activation(operand.tensor))
            found[*tensor] = operand.share;
    return found;
}

/// Throws Error(Input) for another output than that step's. `isOfTicks`: they are those of `found`.
void Deployment::takeOutput(Step step, const ToolEnd& end, DeployResults& found, bool isOfTicks)
{
    const std::string text = end.output.toStdString();
    const bool isCurrent = isOfTicks || m_askedRemedies == 0;
    if (!isCurrent && step <= Step::Write)
        setProblem(tr("Ticks changed while it ran: start it again."));
    switch (step) {
    case Step::Plan:
        if (isCurrent)
            found.plan = parseDeployPlan(text, "calib materialize");
        break;
    case Step::Write:
        forgetReport();  // of the file that was there before
        m_found.isWritten = false;
        m_stored.forgetWritten();
        found.isWritten = isCurrent;
        m_writtenRemedies = m_askedRemedies;
        break;
    case Step::Check: found.report = parseCheckReport(text, "calib check"); return;
    case Step::Measure:
        m_stored.forgetEnd();
        found.forgetEnd();
        m_endWatch.watch(endFile());
        [[fallthrough]];
    case Step::Shares: found.endShares = sharesOf(parseEndShares(text, "calib improve")); return;
    case Step::Best: found.endBest = parseBestRows(text, "calib improve"); return;
    case Step::Budget: found.budget = parseBudgetRows(text, "calib improve"); return;
    case Step::Improve:
        found.improvements = parseImprovementRows(text, "calib improve");
        found.without = m_asked.leftOut;
        found.remediesFile = m_remediesFile;
        keepGains(*found.improvements, m_asked);
        return;
    case Step::Climb:
    case Step::WriteImproved:  // a model
        if (!isOfTicks)
            return;  // of ticks that have changed since there is nothing
        found.rungs = parseLadderRows(text, "calib improve");
        found.ladderText = QString(end.said).remove(u'`');
        keepGains(found.rungs, m_asked);
        if (step == Step::WriteImproved)
            found.writtenImproved = m_improvedPath;
        return;
    }
}

void Deployment::keepGains(const ImprovementReport& improvements, const Workbench& of)
{
    MeasuredGains gains = m_document.workbench().gains;
    gains.layers = remediesToTick(improvements, of);
    gains.layersOf = layerGainsDigest(of);
    m_document.keepGains(gains);
}

void Deployment::keepGains(const std::vector<LadderRung>& rungs, const Workbench& of)
{
    MeasuredGains gains = m_document.workbench().gains;
    gains.rungs = {rungs.begin(), rungs.end()};
    gains.rungsOf = rungGainsDigest(of);
    m_document.keepGains(gains);
}

void Deployment::showImprovements(const ImprovementReport& improvements)
{
    m_found.improvements = improvements;
    m_found.without = m_document.workbench().leftOut;
    keepGains(improvements, m_document.workbench());
    Q_EMIT changed();
}

void Deployment::showLadder(const std::vector<LadderRung>& rungs, const QString& text)
{
    m_found.rungs = rungs;
    m_found.ladderText = text;
    keepGains(rungs, m_document.workbench());
    Q_EMIT changed();
}

void Deployment::showBudget(const std::vector<BudgetRow>& budget)
{
    m_found.budget = budget;
    Q_EMIT changed();
}

QString Deployment::takeBudget(const BudgetRow& point)
{
    const NamedTensors named(m_document.tensors());
    std::size_t unknown = 0;
    const auto decidedOf = [&](const std::vector<std::string>& names) {
        std::vector<int> tensors;
        for (const std::string& name : names) {
            const std::array found{named.activation(name), named.weight(name)};
            for (const auto& tensor : found)
                if (tensor && decisionOf(m_document, static_cast<int>(*tensor)))
                    tensors.push_back(static_cast<int>(*tensor));
            unknown += found[0] || found[1] ? 0U : 1U;
        }
        return tensors;
    };
    constexpr int bits = 16;
    const std::vector<int> inBits = decidedOf(point.inputsInt16);
    const std::vector<int> inFloat = decidedOf(point.operandsFloat);
    acceptPrecision(m_document, inBits, bits, inFloat);
    QStringList parts;
    if (!inBits.empty())
        parts += countText(inBits.size(), tr("1 tensor is accepted in 16 bits."),
                           tr("%1 tensors are accepted in 16 bits."));
    if (!inFloat.empty())
        parts += countText(inFloat.size(), tr("1 decision is removed: its tensor stays float."),
                           tr("%1 decisions are removed: these tensors stay float."));
    if (unknown > 0)
        parts += countText(unknown, tr("1 name of the table is not in the dump."),
                           tr("%1 names of the table are not in the dump."));
    return parts.join(u' ');
}

void Deployment::showReport(const CheckReport& report)
{
    m_found.report = report;
    Q_EMIT changed();
}

void Deployment::showPlan(const DeployPlan& plan)
{
    m_found.plan = plan;
    Q_EMIT changed();
}

}  // namespace calibscope
