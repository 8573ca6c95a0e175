// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/improve/improve_page.h"

#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/models/table_model.h"
#include "ui/pages/improve/budget_view.h"
#include "ui/panels/steps_bar.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/state_notice.h"
#include "ui/widgets/tensor_delegates.h"

#include <QCheckBox>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace calibscope {

namespace {

constexpr int pageMargin = 12;
constexpr int layerWidth = 120;

QLabel* sentenceLabel(QWidget* parent)
{
    auto* label = new PlainLabel(parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QString remediesText()
{
    return ImprovePage::tr(
        "Remedies are computed for each layer from one half of the samples and judged on the "
        "other: layers with few positions stay float, loud channels of the input are divided, "
        "weights below 8 bits are rounded by their inputs, the mean error of each output channel "
        "is taken away.");
}

QWidget* column(std::initializer_list<QWidget*> parts, QWidget* stretched, QWidget* parent)
{
    auto* box = new QWidget(parent);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    for (QWidget* part : parts)
        layout->addWidget(part, part == stretched ? 1 : 0);
    return box;
}

}  // namespace

ImprovePage::ImprovePage(Deployment& deployment, std::function<QString()> sessionFile,
                         QWidget* parent)
    : WorkspacePage(parent),
      m_deployment(deployment),
      m_sessionFile(std::move(sessionFile)),
      m_layers(improveTable(deployment),
               [&deployment] {
                   return deployment.improvements() ? std::span(deployment.improvements()->layers)
                                                    : std::span<const LayerImprovement>();
               }),
      m_rungs(rungTable(deployment), [&deployment] { return std::span(deployment.rungs()); }),
      m_sortedLayers(new KnownFirst(this)),
      m_sortedRungs(new KnownFirst(this))
{
    fillWith(makeBody());
    connect(m_notice, &StateNotice::buttonClicked, this, [this] {
        if (decidedCount(m_deployment.document()) == 0)
            Q_EMIT recipeRequested();
        else
            chooseStep(Deployment::Step::Improve);
    });
    connect(m_notice, &StateNotice::secondButtonClicked, this, &ImprovePage::modelRequested);
    connect(&deployment, &Deployment::changed, this, &ImprovePage::refresh);
    connect(&deployment, &Deployment::progressed, this, &ImprovePage::refreshSteps);
    connect(&deployment.document(), &Document::tensorsChanged, this, &ImprovePage::refresh);
    refresh();
}

QWidget* ImprovePage::makeBody()
{
    QWidget* steps = makeSteps();
    m_sentence = sentenceLabel(this);
    m_tabs = new UnderlinedTabBar(this);
    m_tabs->setAccessibleName(tr("Layers, or the network's end"));
    m_tabs->addTab(tr("Layers"));
    m_tabs->addTab(tr("At the end"));
    m_tabs->addTab(tr("Budget"));
    m_tabs->setTabToolTip(2, tr("Cost of layers in int16 or float against the SQNR at the end"));
    m_views = new QStackedWidget(this);
    m_views->addWidget(makeLayers());
    m_views->addWidget(makeLadder());
    m_budget = new BudgetView(m_deployment, this);
    connect(&m_budget->plot(), &PlotView::readoutChanged, this, &ImprovePage::readoutChanged);
    m_views->addWidget(m_budget);
    connect(m_tabs, &QTabBar::currentChanged, this, &ImprovePage::refresh);
    m_model = new QPushButton(tr("Choose &model..."), this);
    m_model->setToolTip(
        tr("The ONNX model that the dump was recorded from: it shows which channels "
           "can be divided, and is run at the end"));
    connect(m_model, &QPushButton::clicked, this, &ImprovePage::modelRequested);
    m_run = new QPushButton(tr("&Inputs, outputs..."), this);
    m_run->setToolTip(tr("Page Deploy: a number for each input that was not recorded, and the "
                         "output that is measured"));
    connect(m_run, &QPushButton::clicked, this, &ImprovePage::runRequested);
    auto* views = new QWidget(this);
    auto* line = new QHBoxLayout(views);
    line->setContentsMargins({});
    line->addWidget(m_tabs, 1);
    line->addWidget(m_run);
    line->addWidget(m_model);
    QWidget* body = column({steps, m_sentence, views, m_views, makeCommand()}, m_views, this);
    body->layout()->setContentsMargins(pageMargin, pageMargin, pageMargin, 8);
    return body;
}

QWidget* ImprovePage::makeSteps()
{
    using Step = Deployment::Step;
    auto* bar = new QWidget(this);
    QHBoxLayout* line = makeStateLine(bar);
    m_steps = new StepsBar(
        m_deployment,
        {{Step::Improve, tr("Comp&ute"),
          tr("Computes the remedies of all layers from one half of the samples, and judges them on "
             "the others")},
         {Step::Climb, tr("Check at the en&d"),
          tr("Runs the model with one remedy after the other on the samples held out, and keeps "
             "those that do not lower its output")},
         {Step::WriteImproved, tr("W&rite..."),
          tr("Writes what is ticked as a file for calib materialize --improve; or a quantized "
             "model with those remedies that hold at its end")}},
        *m_state, *line);
    connect(m_steps, &StepsBar::wanted, this, &ImprovePage::chooseStep);
    bar->setLayout(line);
    return bar;
}

QWidget* ImprovePage::makeLayers()
{
    m_layerTable = makeRowTable(*m_sortedLayers, m_layers, tr("Remedies of the layers"), this);
    m_layerTable->setItemDelegateForColumn(ImproveColumn::Layer,
                                           new ColumnNamesDelegate(m_layerTable));
    QHeaderView* header = m_layerTable->horizontalHeader();
    header->setSectionResizeMode(ImproveColumn::Layer, QHeaderView::Interactive);
    header->resizeSection(ImproveColumn::Layer, layerWidth);
    m_layerTable->sortByColumn(ImproveColumn::Gain, Qt::DescendingOrder);
    connect(m_layerTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ImprovePage::refreshDetails);
    connect(m_layerTable, &QTableView::activated, this, &ImprovePage::openInput);
    m_details = sentenceLabel(this);
    m_details->setForegroundRole(QPalette::PlaceholderText);
    m_details->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return column({m_layerTable, m_details}, m_layerTable, this);
}

QWidget* ImprovePage::makeLadder()
{
    m_whiskers = new Whiskers(tr("dot: all samples held out; line: median sample; bar: 95 % "
                                 "interval of the step; hollow: "
                                 "dropped"),
                              this);
    m_whiskers->setAccessibleName(tr("SQNR at the network's end by step"));
    m_sequential = new QCheckBox(tr("Se&quential bias correction"), this);
    m_sequential->setToolTip(
        tr("A last step in place of bias: layer after layer, what the quantized model itself has "
           "lost so far is taken from the biases; the model is run once for each depth"));
    connect(m_sequential, &QCheckBox::clicked, this, [this](bool isOn) {
        ModelRun run = m_deployment.document().workbench().run;
        run.isSequential = isOn;
        edits::setModelRun(m_deployment.document(), run);
    });
    m_ladderText = sentenceLabel(this);
    m_rungTable = makeRowTable(*m_sortedRungs, m_rungs, tr("Steps of the ladder"), this);
    return column({m_sequential, m_whiskers, m_ladderText, m_rungTable}, m_rungTable, this);
}

QWidget* ImprovePage::makeCommand()
{
    auto* bar = new QWidget(this);
    m_command = new ElidedLabel(Qt::ElideRight, bar);
    m_command->setForegroundRole(QPalette::PlaceholderText);
    m_command->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_copy = new QPushButton(bar);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        if (m_sessionFile().isEmpty())
            Q_EMIT sessionRequested();
        else
            copyCommand();
    });
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins({});
    line->addWidget(m_command, 1);
    line->addWidget(m_copy);
    return bar;
}

ImprovePage::View ImprovePage::shownView() const
{
    return static_cast<View>(m_tabs->currentIndex());
}

PlotView* ImprovePage::currentPlot() const
{
    return m_budget->isVisible() ? &m_budget->plot() : nullptr;
}

void ImprovePage::showView(View view)
{
    m_tabs->setCurrentIndex(static_cast<int>(view));
}

QString ImprovePage::sentence() const
{
    return m_sentence->text();
}

QString ImprovePage::details() const
{
    return m_details->text();
}

QString ImprovePage::ladderText() const
{
    return m_ladderText->text();
}

QString ImprovePage::command() const
{
    const QString session = m_sessionFile();
    using Step = Deployment::Step;
    const std::array steps{Step::Improve, Step::Climb, Step::Budget};
    return m_deployment.commandLine(
        steps.at(static_cast<std::size_t>(shownView())),
        session.isEmpty() ? QFileInfo(m_deployment.document().path()).completeBaseName() +
                                QStringLiteral(".calsession")
                          : session);
}

void ImprovePage::refresh()
{
    const Document& document = m_deployment.document();
    const bool hasModel = !m_deployment.options().model.isEmpty();
    refreshRows();
    if (decidedCount(document) == 0)
        return say(tr("No decisions yet"),
                   tr("Remedies are for layers by what was accepted: accept a calibrator for each "
                      "tensor, on its card, or here what the recipe chooses for all %1 that have "
                      "none.")
                       .arg(countLabel(decidableCount(document))),
                   tr("Accept the recipe's for all tensors..."));
    if (!m_deployment.improvements() && m_deployment.rungs().empty() && !m_deployment.running() &&
        !m_deployment.obstacle(Deployment::Step::Budget).isEmpty() && shownView() != View::Budget &&
        problem().isEmpty())
        return say(tr("From measuring to improving"),
                   remediesText() +
                       (hasModel ? QString()
                                 : QStringLiteral("\n\n") +
                                       tr("Choose the ONNX model that the dump was recorded from "
                                          "to see which channels can be divided in it.")),
                   tr("Compute"), hasModel ? QString() : tr("Choose model..."));
    showBody();
    refreshSteps();
    refreshDetails();
}

void ImprovePage::refreshRows()
{
    const QModelIndex current = m_sortedLayers->mapToSource(m_layerTable->currentIndex());
    m_layers.refresh();
    const auto& found = m_deployment.improvements();
    m_layerTable->setColumnHidden(
        ImproveColumn::Rounding,
        !found || std::ranges::none_of(found->layers, [](const LayerImprovement& layer) {
            return std::ranges::find(layer.rows, "rounding", &RemedyResult::remedy) !=
                   layer.rows.end();
        }));
    m_rungs.refresh();
    // A tick is made on the row that stays the current one.
    const QModelIndex same =
        m_sortedLayers->mapFromSource(m_layers.index(current.row(), current.column()));
    if (same.isValid())
        m_layerTable->setCurrentIndex(same);
    m_whiskers->setRows(rungRows(m_deployment.rungs()));
    const bool hasRungs = !m_deployment.rungs().empty();
    if (hasRungs && !m_hadRungs)
        showView(View::Ladder);
    m_hadRungs = hasRungs;
    m_ladderText->setText(
        hasRungs
            ? m_deployment.ladderText() + checkedSentence()
            : tr("Not run for these ticks yet: Check at the end runs the model with one remedy "
                 "after the other, on the samples held out."));
    m_rungTable->setVisible(hasRungs);
    m_budget->refresh();
    m_views->setCurrentIndex(m_tabs->currentIndex());
    refreshCommand();
}

/// Page Deploy's figure of the same network, where it is for another tensor.
QString ImprovePage::checkedSentence() const
{
    const OutputCheck* output = m_deployment.lowestOutput();
    return output ? u'\n' + tr("Page Deploy compares the model's outputs themselves: %1 dB at %2.")
                                .arg(dbLabel(output->asWritten.sqnrDb),
                                     QString::fromStdString(output->name))
                  : QString();
}

void ImprovePage::refreshCommand()
{
    QString shown = command();
    for (const QString& path :
         {m_deployment.document().path(), m_sessionFile(), m_deployment.options().model})
        if (!path.isEmpty())
            shown.remove(QFileInfo(path).path() + u'/');  // copied it has them
    m_command->setText(shown);
    const bool isSaved = !m_sessionFile().isEmpty();
    m_copy->setText(isSaved ? tr("Cop&y command") : tr("Save session, cop&y command..."));
    m_copy->setToolTip(isSaved ? tr("A command line that gives the same numbers")
                               : tr("The command reads the decisions from a session file, and what "
                                    "is decided now is in none"));
}

void ImprovePage::copyCommand()
{
    QGuiApplication::clipboard()->setText(command());
}

/// Others are reported on page Deploy.
QString ImprovePage::problem() const
{
    return m_deployment.failedStep() >= Deployment::Step::Improve ? m_deployment.problem()
                                                                  : QString();
}

void ImprovePage::refreshSteps()
{
    m_steps->refresh([this](Deployment::Step step) { return stateOf(step); },
                     [this](Deployment::Step step) { return m_deployment.obstacle(step); });
    m_model->setVisible(m_deployment.options().model.isEmpty());
    m_run->setVisible(!m_deployment.unfedInputs().isEmpty() || m_deployment.isEndOpen());
    m_sequential->setChecked(m_deployment.document().workbench().run.isSequential);
    m_sequential->setEnabled(!m_deployment.running());
    QStringList lines{problem(), improvedSentence(m_deployment)};
    if (const QString& file = m_deployment.improvedFile(); !file.isEmpty())
        lines += tr("Written to %1.").arg(file);
    lines.removeAll(QString());
    m_sentence->setText(lines.join(u'\n'));
    m_sentence->setVisible(!lines.isEmpty());
}

/// In a few words, as wide as a button.
QString ImprovePage::stateOf(Deployment::Step step) const
{
    const std::vector<LadderRung>& rungs = m_deployment.rungs();
    if (step == Deployment::Step::Improve && m_deployment.improvements())
        return tr("%1 ticked").arg(countLabel(m_deployment.tickedRemedies()));
    if (step == Deployment::Step::WriteImproved)
        return m_deployment.improvedFile().isEmpty() ? QString() : tr("written");
    const LadderRung* first = nullptr;
    const LadderRung* last = nullptr;
    for (const LadderRung& rung : rungs)
        if (rung.isAccepted && rung.figures) {
            first = first ? first : &rung;
            last = &rung;
        }
    return step == Deployment::Step::Climb && last
               ? tr("%1 → %2 dB")
                     .arg(dbLabel(first->figures->pooledDb), dbLabel(last->figures->pooledDb))
               : QString();
}

void ImprovePage::refreshDetails()
{
    const QModelIndex current = m_sortedLayers->mapToSource(m_layerTable->currentIndex());
    const bool isComputed = m_deployment.improvements().has_value();
    m_layerTable->setVisible(isComputed);
    m_details->setText(!isComputed ? remediesText()
                       : current.isValid()
                           ? remedySentences(m_layers.row(current.row())).join(u'\n')
                           : tr("Choose a layer for what each remedy changes."));
}

void ImprovePage::chooseStep(Deployment::Step step)
{
    if (step == Deployment::Step::WriteImproved)
        Q_EMIT fileRequested();
    else
        m_deployment.start(step);
}

void ImprovePage::openInput(const QModelIndex& index)
{
    const LayerOperand& input =
        m_layers.row(m_sortedLayers->mapToSource(index).row()).decided.input;
    const std::vector<TensorInfo>& tensors = m_deployment.document().tensors();
    const auto found = std::ranges::find(tensors, input.tensor, &TensorInfo::name);
    if (found != tensors.end())
        Q_EMIT tensorChosen(static_cast<int>(found - tensors.begin()));
}

}  // namespace calibscope
