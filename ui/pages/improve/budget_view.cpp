// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/improve/budget_view.h"

#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/row_table.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace calibscope {

namespace {

constexpr double percent = 100.0;

double extraPercent(const BudgetRow& row)
{
    return percent * (row.cost - 1.0);
}

QString layersText(std::size_t int16, std::size_t inFloat)
{
    QStringList parts;
    if (int16 > 0)
        parts += countText(int16, tr("1 layer in int16"), tr("%1 layers in int16"));
    if (inFloat > 0)
        parts += countText(inFloat, tr("1 in float"), tr("%1 in float"));
    return parts.isEmpty() ? tr("baseline, as accepted") : parts.join(QStringLiteral(", "));
}

QString namesText(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 4;
    QStringList shown;
    for (std::size_t index = 0; index < std::min(names.size(), most); ++index)
        shown += QString::fromStdString(names[index]);
    if (names.size() > most)
        shown += tr("and %1 more").arg(countLabel(names.size() - most));
    return shown.join(QStringLiteral(", "));
}

TableDescriptor<BudgetRow> budgetTable()
{
    using Row = BudgetRow;
    TableDescriptor<Row> table{.columns = {}, .toolTip = [](const Row& row) {
                                   return layersText(row.int16.size(), row.inFloat.size());
                               }};
    table.addNumber(
        tr("cost +%"),
        tr("Beyond all layers in int8: multiplications, twice in int16, four times "
           "in float"),
        [](const Row& row) { return valueLabel(extraPercent(row), 3); },
        [](const Row& row) { return std::optional(extraPercent(row)); });
    const auto addDb = [&table](const QString& title, const QString& help,
                                std::optional<double> Row::*db) {
        table.addNumber(
            title, help,
            [db](const Row& row) { return row.*db ? dbLabel(row.*db) : QStringLiteral("–"); },
            [db](const Row& row) { return row.*db; });
    };
    addDb(tr("predicted dB"), tr("SQNR at the network's end, from the table of the end"),
          &Row::predictedDb);
    addDb(tr("from dB"), tr("Of the interval"), &Row::lowDb);
    addDb(tr("to dB"), tr("Of the interval"), &Row::highDb);
    const auto addCount = [&table](const QString& title, std::vector<std::string> Row::*layers) {
        table.addNumber(
            title, tr("Layers"),
            [layers](const Row& row) { return countLabel((row.*layers).size()); },
            [layers](const Row& row) {
                return std::optional(static_cast<double>((row.*layers).size()));
            });
    };
    addCount(tr("int16"), &Row::int16);
    addCount(tr("float"), &Row::inFloat);
    return table;
}

}  // namespace

BudgetView::BudgetView(Deployment& deployment, QWidget* parent)
    : QWidget(parent),
      m_deployment(deployment),
      m_rows(budgetTable(), [&deployment] { return std::span(deployment.budget()); }),
      m_sorted(new KnownFirst(this)),
      m_plot(new BudgetPlot(this)),
      m_sentence(new PlainLabel(this)),
      m_accept(new QPushButton(tr("&Accept these precisions"), this)),
      m_measure(new QPushButton(tr("&Measure the end"), this)),
      m_table(makeRowTable(*m_sorted, m_rows, tr("Points of the budget"), this))
{
    m_plot->setAccessibleName(tr("SQNR at the network's end by cost"));
    m_plot->setMinimumHeight(150);
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumHeight(3 * fontMetrics().lineSpacing());  // stays where a point has more
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_accept->setToolTip(
        tr("Inputs of layers in int16 are quantized to 16 bits, layers in float have no decisions; "
           "one step that can be undone"));
    m_measure->setToolTip(tr(
        "Runs the model once for each operand of a layer, with that one quantized and all else in "
        "float; what was measured is stored next to the dump, so it can be cancelled and "
        "continued"));
    m_table->setMinimumHeight(100);
    auto* line = new QHBoxLayout;
    line->addWidget(m_sentence, 1);
    line->addWidget(m_measure, 0, Qt::AlignTop);
    line->addWidget(m_accept, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addWidget(m_plot, 3);
    layout->addLayout(line);
    layout->addWidget(m_table, 2);
    connect(m_plot, &BudgetPlot::pointChosen, this, &BudgetView::choose);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_isChoosing)
                    choose(static_cast<std::size_t>(m_sorted->mapToSource(current).row()));
            });
    connect(m_measure, &QPushButton::clicked, this,
            [this] { m_deployment.start(Deployment::Step::Measure); });
    connect(m_accept, &QPushButton::clicked, this, [this] {
        if (m_chosen >= m_deployment.budget().size())
            return;
        const auto before = m_deployment.document().workbench().decisions;
        const QString sentence =
            m_deployment.takeBudget(BudgetRow(m_deployment.budget()[m_chosen]));
        Q_EMIT accepted(sentence, before != m_deployment.document().workbench().decisions);
    });
}

QString BudgetView::sentence() const
{
    return m_sentence->text();
}

void BudgetView::start()
{
    const std::tuple wanted(m_deployment.document().path(), m_deployment.options().model,
                            m_deployment.document().workbench().decisions,
                            QFileInfo(m_deployment.endFile()).lastModified());
    if (!isVisible() || !m_deployment.budget().empty() || m_asked == wanted ||
        !m_deployment.canStart(Deployment::Step::Budget))
        return;
    m_asked = wanted;
    m_deployment.start(Deployment::Step::Budget);
}

void BudgetView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_asked = {};  // once more, as the table may be another one
    start();
}

QString BudgetView::reason() const
{
    using Step = Deployment::Step;
    const QString obstacle = m_deployment.obstacle(Step::Budget);
    if (!obstacle.isEmpty() && m_deployment.running() != Step::Measure) {
        const QString unmeasured = m_deployment.obstacle(Step::Measure);
        return unmeasured.isEmpty() ? obstacle : unmeasured;
    }
    if (m_deployment.running())
        return m_deployment.running() == Step::Budget    ? tr("Reading the table of the end...")
               : m_deployment.running() == Step::Measure ? tr("Measuring...")
                                                         : tr("Another step is running.");
    if (m_deployment.failedStep() == Step::Budget && !m_deployment.problem().isEmpty())
        return tr("The table of the end could not be read.");
    return m_deployment.budget().empty() ? tr("There is no budget for what is accepted.")
                                         : tr("No operand is measured with what is accepted.");
}

void BudgetView::refresh()
{
    const std::vector<BudgetRow>& budget = m_deployment.budget();
    const bool isOther = budget != m_shown;
    const bool hasPoints = !budget.empty() && budget.front().predictedDb;
    m_table->setVisible(hasPoints);
    m_accept->setVisible(hasPoints);
    m_measure->setVisible(!m_deployment.options().model.isEmpty() &&
                          (!hasPoints || budget.front().notMeasured > 0));
    m_measure->setEnabled(m_deployment.canStart(Deployment::Step::Measure));
    if (!hasPoints) {
        m_shown.clear();
        m_sentence->clear();
        start();
        m_plot->clear(reason());
        return;
    }
    if (!isOther)
        return;
    m_shown = budget;
    m_rows.refresh();
    std::vector<BudgetMark> marks;
    for (const BudgetRow& row : budget)
        marks.push_back({.extraPercent = extraPercent(row),
                         .db = row.predictedDb.value_or(std::nan("")),
                         .lowDb = row.lowDb,
                         .highDb = row.highDb,
                         .changes = layersText(row.int16.size(), row.inFloat.size())});
    m_plot->setPoints(std::move(marks));
    choose(0);
}

void BudgetView::choose(std::size_t point)
{
    if (point >= m_shown.size())
        return;
    m_chosen = point;
    m_plot->setChosen(point);
    m_isChoosing = true;
    m_table->setCurrentIndex(m_sorted->mapFromSource(m_rows.index(static_cast<int>(point), 0)));
    m_isChoosing = false;
    const BudgetRow& row = m_shown[point];
    const BudgetRow& first = m_shown.front();
    QString text =
        row.int16.empty() && row.inFloat.empty()
            ? tr("%1 dB predicted at the network's end as accepted. Drag the handle: layers "
                 "in "
                 "int16 or float raise it.")
                  .arg(dbLabel(row.predictedDb))
            : tr("%1 dB predicted at the network's end for %2 % more multiplications (%3 dB as "
                 "accepted).")
                  .arg(dbLabel(row.predictedDb), valueLabel(extraPercent(row), 3),
                       dbLabel(first.predictedDb));
    if (!row.int16.empty())
        text += u' ' + tr("In int16: %1.").arg(namesText(row.int16));
    if (!row.inFloat.empty())
        text += u' ' + tr("In float: %1.").arg(namesText(row.inFloat));
    if (row.notMeasured > 0)
        text += u' ' + countText(row.notMeasured,
                                 tr("1 operand is not measured: the end has at most "
                                    "this."),
                                 tr("%1 operands are not measured: the end has at most this."));
    m_sentence->setText(text);
    m_accept->setEnabled(!row.int16.empty() || !row.inFloat.empty());
}

}  // namespace calibscope
