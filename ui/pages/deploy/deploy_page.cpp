// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/deploy/deploy_page.h"

#include "core/graph/named_tensors.h"
#include "ui/charts/running_content.h"
#include "ui/charts/whiskers.h"
#include "ui/document/decisions.h"
#include "ui/models/table_model.h"
#include "ui/pages/deploy/deploy_form.h"
#include "ui/pages/deploy/run_form.h"
#include "ui/panels/steps_bar.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/state_notice.h"
#include "ui/widgets/tensor_delegates.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int leastTableHeight = 150;
constexpr int leastPlotHeight = 150;
constexpr int lineHeight = 34;  // of the drop between them
constexpr int margin = 12;

/// "10.8 < 20 dB": in the room of a button.
QString verdictText(double db)
{
    const SqnrLimits limits = sqnrLimits();
    const QString text = dbLabel(db);
    return db >= limits.good
               ? DeployPage::tr("%1 dB").arg(text)
               : DeployPage::tr("%1 < %2 dB")
                     .arg(text, valueLabel(db >= limits.poor ? limits.good : limits.poor, 3));
}

}  // namespace

DeployPage::DeployPage(Deployment& deployment, QWidget* parent)
    : WorkspacePage(parent),
      m_deployment(deployment),
      m_decisions(deployTable()),
      m_result(checkTable(m_standsOutDb)),
      m_sortedDecisions(new KnownFirst(this)),
      m_sortedResult(new KnownFirst(this))
{
    fillWith(makeBody());
    connect(m_notice, &StateNotice::buttonClicked, this, &DeployPage::recipeRequested);
    connect(&deployment, &Deployment::changed, this, &DeployPage::refresh);
    connect(&deployment, &Deployment::progressed, this, &DeployPage::refreshSteps);
    connect(&deployment.document(), &Document::tensorsChanged, this, &DeployPage::refresh);
    refresh();
}

QWidget* DeployPage::makeBody()
{
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(scroll);
    body->setBackgroundRole(QPalette::Base);
    body->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->setSpacing(8);
    m_form = new DeployForm(m_deployment, body);
    connect(m_form, &DeployForm::modelRequested, this, &DeployPage::modelRequested);
    connect(m_form, &DeployForm::outputRequested, this, &DeployPage::outputRequested);
    layout->addWidget(m_form);
    layout->addWidget(makeSteps());
    m_problem = new MessageBar(body);
    layout->addWidget(m_problem);
    m_sentence = new PlainLabel(body);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_acceptRest = new QPushButton(tr("Accept the recipe's..."), body);
    m_acceptRest->setToolTip(tr("For the tensors without a decision; one step that can be undone"));
    connect(m_acceptRest, &QPushButton::clicked, this, &DeployPage::recipeRequested);
    auto* line = new QHBoxLayout;
    line->addWidget(m_sentence, 1);
    line->addWidget(m_acceptRest, 0, Qt::AlignTop);
    layout->addLayout(line);
    m_whiskers = new Whiskers(
        tr("bar: lowest to highest draw; line: mean of their noise; dot: this check"), body);
    m_whiskers->setAccessibleName(tr("SQNR of each output over the draws"));
    layout->addWidget(m_whiskers);
    layout->addWidget(makeViews(), 1);
    scroll->setWidget(body);
    return scroll;
}

QWidget* DeployPage::makeSteps()
{
    using Step = Deployment::Step;
    auto* bar = new QWidget(this);
    QHBoxLayout* line = makeStateLine(bar);
    m_steps = new StepsBar(
        m_deployment,
        {{Step::Plan, tr("P&lan"), tr("Preview changes and findings without writing")},
         {Step::Write, tr("&Write model"), tr("Writes the quantized model")},
         {Step::Check, tr("Chec&k"),
          tr("Runs the recorded model and the quantized one on the recorded samples, and compares "
             "them")}},
        *m_state, *line);
    connect(m_steps, &StepsBar::wanted, &m_deployment, &Deployment::start);
    bar->setLayout(line);
    return bar;
}

QTableView* DeployPage::makeTable(QSortFilterProxyModel& sorted, QAbstractItemModel& source,
                                  const QString& name)
{
    QTableView* table = makeRowTable(sorted, source, name, this);
    table->setItemDelegateForColumn(0, new ColumnNamesDelegate(table));
    table->setMinimumHeight(leastTableHeight);
    table->horizontalHeader()->setMinimumSectionSize(36);
    return table;
}

QWidget* DeployPage::makeViews()
{
    auto* all = new QWidget(this);
    m_tabs = new UnderlinedTabBar(all);
    m_tabs->setAccessibleName(tr("Decisions or result"));
    m_tabs->addTab(tr("Decisions"));
    m_tabs->addTab(tr("Result"));
    m_views = new QStackedWidget(all);
    // What it would like to have is more than there is: the page scrolls for less than the least.
    m_views->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_views->setMinimumHeight(leastPlotHeight + leastTableHeight + lineHeight);
    m_decisionTable =
        makeTable(*m_sortedDecisions, m_decisions, tr("Decisions and what is written of them"));
    QHeaderView* decided = m_decisionTable->horizontalHeader();
    decided->setSectionResizeMode(QHeaderView::Interactive);
    decided->setStretchLastSection(true);
    m_decisionTable->setTextElideMode(Qt::ElideRight);  // findings begin with what they are
    m_decisionTable->setColumnWidth(DeployColumn::Tensor, 160);
    m_decisionTable->setColumnWidth(DeployColumn::Decision, 110);
    m_decisionTable->setColumnWidth(DeployColumn::WrittenAs, 160);
    m_noResult = new StateNotice(all);
    m_noResult->setMinimumHeight(leastTableHeight);
    connect(m_noResult, &StateNotice::buttonClicked, this, [this] {
        if (m_deployment.options().model.isEmpty())
            Q_EMIT modelRequested();
        else
            m_deployment.start(Deployment::Step::Check);
    });
    m_resultView = makeResult();
    for (QWidget* view : std::initializer_list<QWidget*>{m_decisionTable, m_resultView, m_noResult})
        m_views->addWidget(view);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addWidget(m_tabs);
    layout->addWidget(m_views, 1);
    m_findings = new PlainLabel(all);
    m_findings->setWordWrap(true);
    layout->addWidget(m_findings);
    connect(m_tabs, &QTabBar::currentChanged, this, &DeployPage::refresh);
    connect(m_decisionTable, &QTableView::activated, this, &DeployPage::chooseDecision);
    connect(m_decisionTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &DeployPage::refreshFindings);
    return all;
}

QWidget* DeployPage::makeResult()
{
    auto* all = new QWidget(this);
    m_plot = new RunningPlot(all);
    m_plot->setAccessibleName(tr("Running SQNR along the network"));
    m_plot->setMinimumHeight(leastPlotHeight);
    connect(m_plot, &PlotView::readoutChanged, this, &DeployPage::readoutChanged);
    connect(m_plot, &DecibelsPlot::partChosen, this, [this](std::size_t check) {
        if (check >= static_cast<std::size_t>(m_result.rowCount()))
            return;  // an output
        m_resultTable->setCurrentIndex(
            m_sortedResult->mapFromSource(m_result.index(static_cast<int>(check), 0)));
    });
    connect(m_plot, &PlotView::clicked, this, [this](const QPointF& values) {
        const std::optional<std::size_t> check = m_plot->shown().placeAt(values.x());
        if (check && check < static_cast<std::size_t>(m_result.rowCount()))
            openCandidates(*check);
    });
    m_drop = new ElidedLabel(Qt::ElideRight, all);
    m_drop->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_candidates = new QPushButton(tr("Ca&ndidates of its layer"), all);
    m_candidates->setToolTip(
        tr("Page Layers: what each candidate for its operands would change; once one is accepted, "
           "the model can be checked again from there"));
    connect(m_candidates, &QPushButton::clicked, this, [this] {
        if (const auto check = currentCheck())
            openCandidates(*check);
    });
    auto* line = new QHBoxLayout;
    line->addWidget(m_drop, 1);
    line->addWidget(m_candidates);
    m_resultTable = makeTable(*m_sortedResult, m_result, tr("What the check found of each tensor"));
    QHeaderView* found = m_resultTable->horizontalHeader();
    found->setSectionResizeMode(CheckColumn::Tensor, QHeaderView::Interactive);
    found->resizeSection(CheckColumn::Tensor, 150);
    connect(m_resultTable, &QTableView::activated, this, &DeployPage::chooseResult);
    connect(m_resultTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &DeployPage::refreshDrop);
    auto* layout = new QVBoxLayout(all);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addWidget(m_plot, 3);
    layout->addLayout(line);
    layout->addWidget(m_resultTable, 2);
    return all;
}

PlotView* DeployPage::currentPlot() const
{
    return m_plot->isVisible() ? m_plot : nullptr;
}

void DeployPage::showView(View view)
{
    m_tabs->setCurrentIndex(static_cast<int>(view));
}

QString DeployPage::sentence() const
{
    return m_sentence->text();
}

QString DeployPage::findings() const
{
    return m_findings->isHidden() ? QString() : m_findings->text();
}

void DeployPage::refresh()
{
    const Document& document = m_deployment.document();
    m_decisions.setRows(deployRows(m_deployment));
    const auto& report = m_deployment.report();
    m_standsOutDb = standingOutDropDb(report ? report->tensors : std::vector<TensorCheck>());
    m_result.setRows(report ? report->tensors : std::vector<TensorCheck>());
    m_plot->setTensors(report ? runningMarks(*report, m_standsOutDb) : std::vector<RunningMark>());
    const std::size_t decided = decidedCount(document);
    if (decided == 0 && !m_deployment.report())
        return say(tr("No decisions yet"),
                   tr("A quantized model is written in three steps:\n\n"
                      "1.  Accept a calibrator for each tensor: on its card, or here what the "
                      "recipe chooses for all %1 that have none. Either can be undone.\n"
                      "2.  Choose the ONNX model that the dump was recorded from. Plan previews "
                      "the changes and findings; Write model writes it.\n"
                      "3.  Check runs both models on the recorded samples and compares them "
                      "tensor by tensor.")
                       .arg(countLabel(decidableCount(document))),
                   tr("Accept the recipe's for all tensors..."));
    showBody();
    m_form->refresh();
    m_tabs->setTabText(static_cast<int>(View::Decisions),
                       tr("Decisions (%1)").arg(countLabel(decided)));
    const bool hasReport = m_deployment.report().has_value();
    if (hasReport && !m_hadReport) {
        showView(View::Result);
        m_resultTable->sortByColumn(CheckColumn::Drop, Qt::DescendingOrder);
    }
    m_hadReport = hasReport;
    const bool isResult = m_tabs->currentIndex() == static_cast<int>(View::Result);
    m_views->setCurrentWidget(!isResult   ? static_cast<QWidget*>(m_decisionTable)
                              : hasReport ? static_cast<QWidget*>(m_resultView)
                                          : static_cast<QWidget*>(m_noResult));
    const bool hasModel = !m_deployment.options().model.isEmpty();
    m_noResult->say(tr("Not checked yet"),
                    hasModel ? tr("The check runs the recorded model and the quantized one on the "
                                  "recorded samples, and shows where they part.")
                             : tr("Choose the model that the dump was recorded from; then write "
                                  "the quantized one and check it."),
                    m_deployment.running() ? QString()
                    : hasModel             ? tr("Check now")
                                           : tr("Choose model..."));
    refreshSteps();
    refreshProblem();
    refreshSentence();
    refreshFindings();
    refreshDrop();
}

void DeployPage::refreshSteps()
{
    m_steps->refresh([this](Deployment::Step step) { return stateOf(step); },
                     [this](Deployment::Step step) {
                         const QString obstacle = m_deployment.obstacle(step);
                         const bool isWritten = QFileInfo::exists(m_deployment.options().output);
                         return obstacle.isEmpty() && step == Deployment::Step::Check && !isWritten
                                    ? tr("The quantized model is not written yet.")
                                    : obstacle;
                     });
    const auto color = [this](Deployment::Step step, SqnrGrade grade) {
        const ChartColors& colors = chartColors(palette());
        m_steps->colorState(step, grade == SqnrGrade::Good
                                      ? QColor()
                                      : readableOn(colors.background, sqnrColor(grade, colors)));
    };
    color(Deployment::Step::Plan, plannedErrors() > 0 ? SqnrGrade::Poor : SqnrGrade::Good);
    const std::optional<double> db = m_deployment.checkedDb();
    color(Deployment::Step::Check, db ? sqnrGrade(*db) : SqnrGrade::Good);
}

std::uint64_t DeployPage::plannedErrors() const
{
    return m_deployment.plan()
               ? static_cast<std::uint64_t>(std::ranges::count(
                     m_deployment.plan()->lints, FindingLevel::Error, &Finding::level))
               : 0;
}

/// In a few words, as wide as a button.
QString DeployPage::stateOf(Deployment::Step step) const
{
    using Step = Deployment::Step;
    if (step == Step::Plan && m_deployment.plan()) {
        const std::uint64_t errors = plannedErrors();
        return errors == 0 ? tr("planned") : countText(errors, tr("1 error"), tr("%1 errors"));
    }
    if (step == Step::Write && !m_deployment.isWritten())
        return QFileInfo::exists(m_deployment.options().output) ? tr("earlier file") : QString();
    if (step == Step::Write)
        return m_deployment.writtenRemedies() == 0
                   ? tr("written")
                   : countText(m_deployment.writtenRemedies(), tr("with 1 remedy"),
                               tr("with %1 remedies"));
    if (step == Step::Check && m_deployment.report())
        return m_deployment.checkedDb() ? verdictText(*m_deployment.checkedDb()) : tr("checked");
    return step == Step::Check && m_deployment.isOutdated()
               ? tr("%1 dB before").arg(dbLabel(m_deployment.formerDb()))
               : QString();
}

/// With what is to be done next.
void DeployPage::refreshProblem()
{
    using Step = Deployment::Step;
    const QString& problem = m_deployment.problem();
    const QString missing = m_deployment.missingPath();
    const bool isKnown = m_deployment.plan() || m_deployment.report();  // it existed then
    if (problem.isEmpty() && (missing.isEmpty() || isKnown)) {
        m_problem->hide();
        return;
    }
    const Step step = m_deployment.failedStep();
    const bool isOfEarlier = !problem.isEmpty() && m_deployment.isOfEarlier();
    std::vector<MessageBar::Remedy> remedies;
    const std::optional<Fault> fault = m_deployment.fault();
    const bool isModelMissing = !missing.isEmpty() && missing == m_deployment.options().model;
    if (isModelMissing || fault == Fault::Input)
        remedies.push_back({tr("Choose model..."), [this] { Q_EMIT modelRequested(); }});
    if ((!missing.isEmpty() && !isModelMissing) || fault == Fault::Output)
        remedies.push_back({tr("Choose file..."), [this] { Q_EMIT outputRequested(); }});
    if (fault == Fault::Input && !m_deployment.unfedInputs().isEmpty())
        remedies.push_back({tr("Values of inputs"), [this] { m_form->run().edit(); }});
    if (fault == Fault::Runner)
        remedies.push_back({tr("Choose a runner"), [this] { m_form->editRunner(); }});
    const bool hasFailed = !problem.isEmpty() && !m_deployment.running();
    if (hasFailed)
        remedies.push_back({tr("Try again"), [this, step] { m_deployment.start(step); }});
    m_problem->say(problem.isEmpty() ? tr("%1 does not exist.").arg(missing) : problem, remedies,
                   isOfEarlier ? MessageBar::Kind::Warning : MessageBar::Kind::Problem);
}

void DeployPage::refreshSentence()
{
    QStringList lines;
    if (const std::optional<CheckReport>& report = m_deployment.report()) {
        for (const OutputCheck& output : report->outputs) {
            lines << outputSentence(output);
            if (const std::optional<std::string> drawn = drawSentence(output))
                lines << QString::fromStdString(*drawn);
        }
        const auto now = m_deployment.checkedDb();
        if (const auto former = m_deployment.formerDb(); now && former && *now != *former)
            lines << tr("%1 dB before.").arg(dbLabel(former));
        for (const std::string& note : report->notes)
            lines << QString::fromStdString(note);
    } else if (const std::optional<DeployPlan>& plan = m_deployment.plan()) {
        const auto weights = static_cast<std::uint64_t>(
            std::ranges::count(plan->integers, true, &PlannedIntegers::isWeight));
        lines << tr("%1, %2%3.")
                     .arg(countText(weights, tr("1 weight in integers"),
                                    tr("%1 weights in integers")),
                          countText(plan->integers.size() - weights, tr("1 pair"), tr("%1 pairs")),
                          plan->biases > 0 ? countText(plan->biases, tr(", 1 bias in int32"),
                                                       tr(", %1 biases in int32"))
                                           : QString());
        const auto notWritten = static_cast<std::uint64_t>(
            std::ranges::count_if(deployRows(m_deployment), [](const DeployRow& row) {
                return row.tensor >= 0 && !row.isPlanned;
            }));
        if (notWritten > 0)
            lines.last() += u' ' + countText(notWritten,
                                             tr("1 decision is not written: see its "
                                                "findings."),
                                             tr("%1 decisions are not written: see their "
                                                "findings."));
    }
    const std::uint64_t open = undecidedTensors(m_deployment.document()).size();
    m_acceptRest->setVisible(open > 0 && !m_deployment.report());
    if (m_acceptRest->isVisibleTo(this))
        lines << countText(open, tr("1 tensor has no decision: it stays float in the model."),
                           tr("%1 tensors have no decision: they stay float in the model."));
    m_sentence->setText(lines.join(u'\n'));
    m_sentence->setVisible(!lines.isEmpty());
    m_whiskers->setRows(m_deployment.report() ? drawRows(m_deployment.report()->outputs)
                                              : std::vector<WhiskerRow>());
}

/// All that the table's cell has no room for.
void DeployPage::refreshFindings()
{
    const QModelIndex current = m_sortedDecisions->mapToSource(m_decisionTable->currentIndex());
    const bool isShown = m_views->currentWidget() == m_decisionTable && current.isValid();
    const DeployRow row = isShown ? m_decisions.row(current.row()) : DeployRow();
    m_findings->setText(tr("%1: %2").arg(row.name, row.lints.join(QStringLiteral("; "))));
    m_findings->setVisible(!row.lints.isEmpty());
}

void DeployPage::chooseDecision(const QModelIndex& index)
{
    const int tensor = m_decisions.row(m_sortedDecisions->mapToSource(index).row()).tensor;
    if (tensor >= 0)
        Q_EMIT tensorChosen(tensor);
}

int DeployPage::tensorOf(const TensorCheck& check) const
{
    return tensorOf(check, NamedTensors(m_deployment.document().tensors()));
}

int DeployPage::tensorOf(const TensorCheck& check, const NamedTensors& named)
{
    const auto tensor = check.isWeight ? named.weight(check.name) : named.activation(check.name);
    return tensor ? static_cast<int>(*tensor) : -1;
}

std::vector<std::optional<double>> DeployPage::runningDb() const
{
    if (!m_deployment.report())
        return {};
    const NamedTensors named(m_deployment.document().tensors());
    std::vector<std::optional<double>> running(named.tensors().size());
    for (const TensorCheck& check : m_deployment.report()->tensors)
        if (const int tensor = tensorOf(check, named); tensor >= 0)
            running[static_cast<std::size_t>(tensor)] = check.runningDb;
    return running;
}

void DeployPage::chooseResult(const QModelIndex& index)
{
    const int tensor = tensorOf(m_result.row(m_sortedResult->mapToSource(index).row()));
    if (tensor >= 0)
        Q_EMIT tensorChosen(tensor);
}

std::optional<std::size_t> DeployPage::currentCheck() const
{
    const QModelIndex current = m_resultTable->currentIndex();
    const QModelIndex row = current.isValid() ? current : m_sortedResult->index(0, 0);
    return row.isValid()
               ? std::optional(static_cast<std::size_t>(m_sortedResult->mapToSource(row).row()))
               : std::nullopt;
}

void DeployPage::refreshDrop()
{
    const auto check = m_deployment.report() ? currentCheck() : std::nullopt;
    m_plot->setChosen(m_resultTable->currentIndex().isValid() ? check : std::nullopt);
    const TensorCheck* shown = check ? &m_deployment.report()->tensors[*check] : nullptr;
    m_drop->setText(shown ? dropSentence(*shown) : QString());
    m_candidates->setEnabled(shown && tensorOf(*shown) >= 0);
}

void DeployPage::openCandidates(std::size_t check)
{
    const TensorCheck& shown = m_deployment.report()->tensors[check];
    if (const int tensor = tensorOf(shown); tensor >= 0)
        Q_EMIT candidatesRequested(tensor, isOwnScaleAtFault(shown));
}

}  // namespace calibscope
