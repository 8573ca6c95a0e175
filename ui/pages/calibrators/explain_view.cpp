// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/explain_view.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/waterfall_delegate.h"
#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int minimumColumn = 48;

QComboBox* makeList(const QString& name, QWidget* parent)
{
    auto* list = new QComboBox(parent);
    list->setAccessibleName(name);
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(16);
    list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return list;
}

/// What all steps together come to; blank where an end has no result.
QString summaryOf(const std::vector<ExplainRow>& rows)
{
    QStringList parts;
    if (const auto scale = scaleChange(rows.back(), rows.front()))
        parts += ExplainView::tr("scale × %1").arg(valueLabel(*scale));
    if (const auto change = sqnrChange(rows.back(), rows.front()))
        parts += ExplainView::tr("SQNR %1%2 dB")
                     .arg(*change > 0.0 ? QStringLiteral("+") : QString(), fixedLabel(*change, 2));
    if (parts.isEmpty())
        return {};
    return ExplainView::tr("All steps combined: %1").arg(parts.join(QStringLiteral(", ")));
}

}  // namespace

ExplainView::ExplainView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_from(makeList(tr("First calibration"), this)),
      m_to(makeList(tr("Second calibration"), this)),
      m_steps(new QTableView(this)),
      m_summary(new PlainLabel(this)),
      m_add(new QPushButton(tr("&Add step as a card"), this)),
      m_model(new TableModel<StepRow>(stepsTable(), this))
{
    layOut();
    for (QComboBox* list : {m_from, m_to})
        connect(list, &QComboBox::activated, this, &ExplainView::ask);
    connect(m_add, &QPushButton::clicked, this, &ExplainView::addStep);
    connect(m_steps, &QTableView::activated, this, &ExplainView::addStep);
    connect(m_steps->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { m_add->setEnabled(current.isValid()); });
    connect(&document.questions(), &Questions::explanationChanged, this, &ExplainView::showSteps);
    showSteps();
}

void ExplainView::layOut()
{
    auto* choice = new QHBoxLayout;
    choice->addWidget(new PlainLabel(tr("From"), this));
    choice->addWidget(m_from, 1);
    choice->addWidget(new PlainLabel(tr("to"), this));
    choice->addWidget(m_to, 1);
    m_steps->setModel(m_model);
    addTableMenu(*m_steps, Qt::EditRole);
    m_steps->setAccessibleName(tr("Steps from one calibration to the other"));
    m_steps->setShowGrid(false);
    m_steps->setFrameShape(QFrame::NoFrame);
    m_steps->setWordWrap(true);
    m_steps->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_steps->setSelectionMode(QAbstractItemView::SingleSelection);
    m_steps->verticalHeader()->hide();
    m_steps->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_steps->setItemDelegateForColumn(StepColumn::Waterfall, new WaterfallDelegate(m_steps));
    m_steps->horizontalHeader()->setHighlightSections(false);
    m_steps->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_steps->horizontalHeader()->setMinimumSectionSize(minimumColumn);
    m_steps->horizontalHeader()->setSectionResizeMode(StepColumn::Step, QHeaderView::Stretch);
    m_steps->horizontalHeader()->setSectionResizeMode(StepColumn::Waterfall, QHeaderView::Stretch);
    m_add->setEnabled(false);
    m_summary->setWordWrap(true);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_summary, 1);
    foot->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addLayout(choice);
    layout->addWidget(m_steps, 1);
    layout->addLayout(foot);
}

/// Steps and bars, which tell most, have their room first.
void ExplainView::resizeEvent(QResizeEvent* event)
{
    constexpr int allColumns = 680;  // pixels
    QWidget::resizeEvent(event);
    for (const int column : {StepColumn::Threshold, StepColumn::Scale})
        m_steps->setColumnHidden(column, width() < allColumns);
}

void ExplainView::showRows()
{
    if (!isVisible() || m_isAsking)
        return;
    const std::vector<Entry> before = m_entries;
    listEntries();
    if (m_entries == before)
        return;
    const QString from = m_from->currentText();
    const QString to = m_to->currentText();
    for (QComboBox* list : {m_from, m_to}) {
        const QSignalBlocker silent(list);
        list->clear();
        for (const Entry& entry : m_entries)
            list->addItem(entry.text);
    }
    m_from->setCurrentIndex(m_from->findText(from));
    m_to->setCurrentIndex(m_to->findText(to));
    if (m_from->currentIndex() < 0 || m_to->currentIndex() < 0)
        chooseDefaults();
    ask();
}

/// The cards of the tensor, then the presets.
void ExplainView::listEntries()
{
    m_entries.clear();
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor)
        return;
    for (const OutcomeRow& row : m_document.questions().rows())
        m_entries.push_back(
            {QString::fromStdString(row.candidate.label), row.candidate.choice, row.candidate.id});
    for (const Preset& preset : presets()) {
        const Entry entry{QString::fromStdString(preset.title),
                          makeChoice(preset, {}, SchemeKind::SymmetricRestricted,
                                     defaultGranularity(tensor->role)),
                          {}};
        if (std::ranges::find(m_entries, entry) == m_entries.end())  // one for two sizes, say
            m_entries.push_back(entry);
    }
}

/// From what the chosen recipe does to what keeps the highest SQNR.
void ExplainView::chooseDefaults()
{
    int recipes = 0;
    int best = 0;
    double most = -1e300;
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    for (int place = 0; place < std::ssize(rows); ++place) {
        const OutcomeRow& row = rows[static_cast<std::size_t>(place)];
        if (row.isChosenRecipes)
            recipes = place;
        const auto db = row.hasResult() ? row.outcome->whole.metric("sqnr_db") : std::nullopt;
        if (db && *db > most) {
            most = *db;
            best = place;
        }
    }
    m_from->setCurrentIndex(recipes);
    m_to->setCurrentIndex(best);
}

void ExplainView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_entries.clear();
    showRows();
}

void ExplainView::ask()
{
    const int from = m_from->currentIndex();
    const int to = m_to->currentIndex();
    if (from < 0 || to < 0)
        return;
    const Entry first = m_entries[static_cast<std::size_t>(from)];
    const Entry last = m_entries[static_cast<std::size_t>(to)];
    m_isAsking = true;
    const std::string firstId = candidateOf(first);
    const std::string lastId = candidateOf(last);
    m_isAsking = false;
    m_document.questions().explain(firstId, lastId);
}

/// A preset becomes a card: it is then drawn and in the table, too.
std::string ExplainView::candidateOf(const Entry& entry)
{
    return entry.candidate.empty() ? edits::addChoice(m_document, entry.choice) : entry.candidate;
}

void ExplainView::showSteps()
{
    const QueryState& query = m_document.questions().explanation();
    const std::vector<ExplainRow>& rows = m_document.questions().explainRows();
    m_model->setRows(stepRows(rows));
    m_add->setEnabled(false);
    switch (query.state()) {
    case QueryState::State::Idle:
    case QueryState::State::Stopped: m_summary->clear(); break;
    case QueryState::State::Reading: m_summary->setText(tr("Computing...")); break;
    case QueryState::State::Failed: m_summary->setText(query.problem()); break;
    case QueryState::State::Ready:
        m_summary->setText(rows.size() < 2 ? tr("Both give the same result.") : summaryOf(rows));
        break;
    }
}

void ExplainView::addStep()
{
    const QModelIndex current = m_steps->currentIndex();
    if (current.isValid())
        Q_EMIT cardAdded(edits::addChoice(m_document, m_model->row(current.row()).row.step.choice));
}

}  // namespace calibscope
