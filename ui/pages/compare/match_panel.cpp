// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/match_panel.h"

#include "ui/document/compare_edits.h"
#include "ui/models/candidate_style.h"
#include "ui/models/match_model.h"
#include "ui/pages/compare/match_dialog.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/tensor_delegates.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int movingMs = 60;
constexpr int countsWidth = 46;

/// Rows as high as those of the tensor list.
class RowDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index)
            .expandedTo({0, option.fontMetrics.height() + 8});
    }
};

/// Where the values of A and of B lie, over one another.
class CountsDelegate : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const ChartColors& colors = chartColors(option.palette);
        const QRectF box = QRectF(option.rect).adjusted(3.0, 3.0, -3.0, -3.0);
        const auto a = index.data(MatchModel::CountsARole).value<QList<double>>();
        const auto b = index.data(MatchModel::CountsBRole).value<QList<double>>();
        paintSparkline(*painter, box, a, colors.fill);
        paintSparklineTops(*painter, box, b, a, recordingStyle(ComparedSide::B, colors).color);
    }
};

/// The number over a bar, so that the list is one of bars, too.
class LossDelegate : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QVariant loss = index.data(MatchModel::LossRole);
        constexpr double fullDb = 20.0;
        constexpr double worthALook = 0.5;
        constexpr double much = 3.0;
        const double db = loss.isValid() ? loss.toDouble() : 0.0;
        if (!(db > 0.0))
            return;
        const ChartColors& colors = chartColors(option.palette);
        const QRectF track(option.rect.left() + 4.0, option.rect.bottom() - 2.0,
                           option.rect.width() - 8.0, 2.0);
        const double length = std::max(1.0, track.width() * std::min(db / fullDb, 1.0));
        const QColor color = db >= much         ? sqnrColor(SqnrGrade::Poor, colors)
                             : db >= worthALook ? sqnrColor(SqnrGrade::Fair, colors)
                                                : colors.fill;
        painter->fillRect(QRectF(track.right() - length, track.top(), length, track.height()),
                          color);
    }
};

}  // namespace

MatchPanel::MatchPanel(Comparison& comparison, QWidget* parent)
    : QWidget(parent), m_comparison(comparison), m_model(comparison), m_tree(new QTreeView(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 4, 4);
    layout->setSpacing(6);
    layout->addWidget(makeFilters());
    layout->addWidget(m_tree, 1);
    layout->addWidget(makeProgress());
    makeTree();
    m_moving.setSingleShot(true);
    m_moving.setInterval(movingMs);
    connect(&m_moving, &QTimer::timeout, this, &MatchPanel::tellShown);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &MatchPanel::showAll);
    connect(&comparison, &Comparison::stateChanged, this, &MatchPanel::showState);
    connect(&comparison, &Comparison::lookedAtChanged, this, &MatchPanel::showLookedAt);
    const DriftReader& drift = comparison.drift();
    connect(&drift, &DriftReader::rowChanged, this, &MatchPanel::showState);
    connect(&drift, &DriftReader::runningChanged, this, &MatchPanel::showState);
    connect(&drift, &DriftReader::runningChanged, this, &MatchPanel::followRun);
    showAll();
    showState();
}

QWidget* MatchPanel::makeFilters()
{
    auto* line = new QWidget(this);
    m_filter = new QLineEdit(line);
    m_filter->setPlaceholderText(tr("filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter of the matched tensors"));
    m_leastSteps = new QDoubleSpinBox(line);
    m_leastSteps->setDecimals(1);
    m_leastSteps->setRange(0.0, 1e6);
    m_leastSteps->setSingleStep(0.5);
    m_leastSteps->setPrefix(tr("≥ "));
    m_leastSteps->setSuffix(tr(" LSB"));
    m_leastSteps->setSpecialValueText(tr("hide drift below: off"));
    m_leastSteps->setAccessibleName(tr("Minimum move in steps of A's scale"));
    m_leastSteps->setToolTip(tr(
        "Only pairs whose values moved by at least this many steps (LSB) of A's scale on average"));
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins({});
    layout->addWidget(m_filter, 1);
    layout->addWidget(m_leastSteps);
    connect(m_filter, &QLineEdit::textChanged, &m_model, &MatchModel::setFilter);
    connect(m_leastSteps, &QDoubleSpinBox::valueChanged, &m_model, &MatchModel::setLeastSteps);
    return line;
}

QWidget* MatchPanel::makeProgress()
{
    auto* line = new QWidget(this);
    m_state = new PlainLabel(line);
    m_state->setWordWrap(true);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    m_progress = new QProgressBar(line);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(80);
    m_button = new QPushButton(line);
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins({});
    layout->addWidget(m_state, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, [this] {
        DriftReader& drift = m_comparison.drift();
        drift.isRunning() ? drift.stop() : drift.resume();
        showState();
    });
    return line;
}

void MatchPanel::makeTree()
{
    m_tree->setObjectName(QStringLiteral("matchTree"));
    m_tree->setModel(&m_model);
    m_tree->setAccessibleName(tr("Tensors of both dumps"));
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(9);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setItemDelegate(new RowDelegate(m_tree));
    auto* nameDelegate = new NameDelegate(
        {.endsRole = -1, .sizeRole = -1, .neededRole = MatchModel::NeededRole}, m_tree);
    m_tree->setItemDelegateForColumn(MatchModel::Tensor, nameDelegate);
    m_tree->setItemDelegateForColumn(MatchModel::Counts, new CountsDelegate(m_tree));
    m_tree->setItemDelegateForColumn(MatchModel::LossDb, new LossDelegate(m_tree));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setMinimumSectionSize(18);
    m_tree->header()->setSectionsClickable(true);
    // What decides is seen without scrolling.
    m_tree->header()->moveSection(m_tree->header()->visualIndex(MatchModel::LossDb),
                                  m_tree->header()->visualIndex(MatchModel::Moved));
    connect(m_tree->header(), &QHeaderView::sectionClicked, this, &MatchPanel::cycleSorting);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &MatchPanel::openMenu);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &MatchPanel::look);
    connect(m_tree->verticalScrollBar(), &QScrollBar::valueChanged, &m_moving,
            qOverload<>(&QTimer::start));
    connect(m_tree, &QTreeView::expanded, &m_moving, qOverload<>(&QTimer::start));
    auto* names = new FrozenColumn(*m_tree);
    names->setItemDelegate(nameDelegate);
}

/// Wide enough for the numbers.
void MatchPanel::arrangeColumns()
{
    QHeaderView* header = m_tree->header();
    const auto width = [this](const QString& text) {
        return fontMetrics().horizontalAdvance(text) + 14;
    };
    header->resizeSection(MatchModel::Shape, width(QStringLiteral("≠")));
    header->resizeSection(MatchModel::Counts, countsWidth);
    header->resizeSection(MatchModel::Moved, width(QStringLiteral("≈0.12 %")));
    header->resizeSection(MatchModel::Kl, width(QStringLiteral("≈0.012")));
    for (const int column : {MatchModel::MaxRatio, MatchModel::ScaleRatio, MatchModel::LossDb})
        header->resizeSection(column, width(QStringLiteral("scale ×")));
    header->resizeSection(MatchModel::Counterpart, width(QString(14, u'n')));
    header->resizeSection(MatchModel::Rule, width(matchRuleTitle(MatchRule::Order)));
    for (int column = MatchModel::FixedColumns; column < m_model.columnCount(); ++column)
        header->resizeSection(
            column, width(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
    fitNames();
}

QString MatchPanel::stateText() const
{
    return m_state->text();
}

void MatchPanel::showState()
{
    const DriftReader& drift = m_comparison.drift();
    const bool isReady = m_comparison.state() == Comparison::State::Ready;
    m_progress->setVisible(isReady && drift.isRunning());
    m_progress->setRange(0, std::max(drift.pairs(), 1));
    m_progress->setValue(drift.done());
    m_button->setVisible(isReady && (drift.isRunning() || drift.isStopped()));
    m_button->setText(drift.isRunning() ? tr("Cancel") : tr("Continue"));
    if (!isReady)
        return m_state->clear();
    const TensorMatches& matches = m_comparison.matches();
    if (drift.isRunning() || drift.isStopped())
        return m_state->setText(tr("compared %1 of %2").arg(drift.done()).arg(drift.pairs()));
    if (drift.pairs() == 0)
        return m_state->setText(tr("no matches"));
    int drifted = 0;
    std::uint64_t failed = 0;
    for (int pair = 0; pair < drift.pairs(); ++pair) {
        drifted += hasDrifted(drift.row(pair)) ? 1 : 0;
        failed += drift.row(pair).problem.isEmpty() ? 0U : 1U;
    }
    const std::uint64_t read = static_cast<std::uint64_t>(drift.pairs()) - failed;
    const bool isEqual =
        drifted == 0 && failed == 0 && matches.onlyA.empty() && matches.onlyB.empty();
    QString text = isEqual
                       ? countText(read, tr("no drift: the pair is equal"),
                                   tr("no drift: all %1 pairs are equal"))
                       : countText(read, tr("drift in %1 of 1 pair"), tr("drift in %2 of %1 pairs"))
                             .arg(drifted);
    if (failed > 0)
        text += tr(", %1 could not be read").arg(countLabel(failed));
    if (!isEqual && m_sortColumn < 0)
        text += tr("; most steps of A's scale first");
    m_state->setText(text);
}

void MatchPanel::showAll()
{
    arrangeColumns();
    constexpr int fewRows = 8;  // of those without a counterpart, before the pairs
    for (int group = 0; group < m_model.rowCount(); ++group) {
        const QModelIndex index = m_model.index(group, 0);
        m_tree->setExpanded(index, index == m_model.indexOfGroup(MatchModel::Group::Pairs) ||
                                       m_model.rowCount(index) <= fewRows);
        m_tree->setFirstColumnSpanned(group, {}, true);
    }
    m_tree->header()->setSortIndicatorShown(m_sortColumn >= 0);
    showLookedAt();
    m_moving.start();
}

void MatchPanel::showLookedAt()
{
    const TensorMatches& matches = m_comparison.matches();
    const int a = m_comparison.lookedAtA();
    const int b = m_comparison.lookedAtB();
    MatchModel::Place place;
    const auto placeIn = [](const std::vector<std::size_t>& tensors, int tensor) {
        const auto found = std::ranges::find(tensors, static_cast<std::size_t>(tensor));
        return found == tensors.end() ? -1 : static_cast<int>(found - tensors.begin());
    };
    if (a >= 0 && b >= 0)
        place = {MatchModel::Group::Pairs, m_comparison.pairOfA(a)};
    else if (a >= 0)
        place = {MatchModel::Group::OnlyA, placeIn(matches.onlyA, a)};
    else if (b >= 0)
        place = {MatchModel::Group::OnlyB, placeIn(matches.onlyB, b)};
    m_isSetting = true;
    m_tree->setCurrentIndex(place.place < 0 ? QModelIndex() : m_model.indexOf(place));
    m_isSetting = false;
}

void MatchPanel::followRun()
{
    const DriftReader& drift = m_comparison.drift();
    if (drift.isRunning() || drift.isStopped() || drift.pairs() == 0 || !m_isWorstWanted)
        return;
    m_isWorstWanted = false;
    const std::vector<int> drifted = m_model.driftedPairs();
    if (isVisible() && !drifted.empty())
        showPair(drifted.front());
}

void MatchPanel::showNextWorst()
{
    m_isWorstWanted = false;
    const std::vector<int> drifted = m_model.driftedPairs();
    if (drifted.empty())
        return;
    const int a = m_comparison.lookedAtA();
    auto next = std::ranges::find(drifted, a < 0 ? -1 : m_comparison.pairOfA(a));
    if (next != drifted.end())
        ++next;
    showPair(next == drifted.end() ? drifted.front() : *next);
}

void MatchPanel::showPair(int pair)
{
    const TensorMatches& matches = m_comparison.matches();
    m_comparison.document().select(
        static_cast<int>(matches.pairs.at(static_cast<std::size_t>(pair)).a));
}

void MatchPanel::focusList()
{
    m_tree->setFocus();
}

void MatchPanel::look(const QModelIndex& index)
{
    const MatchModel::Place place = m_model.placeOf(index);
    if (m_isSetting || place.place < 0)
        return;
    m_isWorstWanted = false;
    const TensorMatches& matches = m_comparison.matches();
    const auto at = static_cast<std::size_t>(place.place);
    switch (place.group) {
    case MatchModel::Group::OnlyA:
        return m_comparison.document().select(static_cast<int>(matches.onlyA.at(at)));
    case MatchModel::Group::OnlyB:
        return m_comparison.lookAtB(static_cast<int>(matches.onlyB.at(at)));
    case MatchModel::Group::Pairs:
        return m_comparison.document().select(static_cast<int>(matches.pairs.at(at).a));
    }
}

/// The name has what the first numbers leave of the panel; the others are to be scrolled to.
void MatchPanel::fitNames()
{
    QHeaderView* header = m_tree->header();
    const int least = fontMetrics().horizontalAdvance(QString(14, u'n'));
    int left = m_tree->viewport()->width();
    for (const int column : {MatchModel::Shape, MatchModel::LossDb, MatchModel::Moved})
        left -= header->sectionSize(column);
    // Pictures give way to names.
    header->setSectionHidden(MatchModel::Counts, left - countsWidth < least);
    if (!header->isSectionHidden(MatchModel::Counts))
        left -= countsWidth;
    header->resizeSection(MatchModel::Tensor, std::max(left, least));
}

void MatchPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitNames();
}

void MatchPanel::step(int rows)
{
    QModelIndex index = m_tree->currentIndex();
    do
        index = rows < 0 ? m_tree->indexAbove(index) : m_tree->indexBelow(index);
    while (index.isValid() && !index.parent().isValid());
    if (index.isValid())
        m_tree->setCurrentIndex(index);
}

/// Descending first, which is what one looks for; then ascending, then what has changed most first.
void MatchPanel::cycleSorting(int column)
{
    const bool isName = column == MatchModel::Tensor;
    const Qt::SortOrder first = isName ? Qt::AscendingOrder : Qt::DescendingOrder;
    const Qt::SortOrder second = isName ? Qt::DescendingOrder : Qt::AscendingOrder;
    const bool isThird = m_sortColumn == column && m_order == second;
    m_order = m_sortColumn == column ? second : first;
    m_sortColumn = isThird ? -1 : column;
    m_tree->header()->setSortIndicatorShown(m_sortColumn >= 0);
    if (m_sortColumn >= 0)
        m_tree->header()->setSortIndicator(m_sortColumn, m_order);
    m_model.sort(m_sortColumn, m_order);
    showState();
}

/// What is on screen is compared first.
void MatchPanel::tellShown()
{
    std::vector<int> pairs;
    const QRect viewport = m_tree->viewport()->rect();
    for (QModelIndex index = m_tree->indexAt(viewport.topLeft());
         index.isValid() && m_tree->visualRect(index).top() <= viewport.bottom();
         index = m_tree->indexBelow(index))
        if (const MatchModel::Place place = m_model.placeOf(index);
            place.group == MatchModel::Group::Pairs && place.place >= 0)
            pairs.push_back(place.place);
    m_comparison.drift().prefer(pairs);
}

void MatchPanel::openMenu(const QPoint& at)
{
    const MatchModel::Place place = m_model.placeOf(m_tree->indexAt(at));
    if (place.place < 0)
        return;
    const TensorMatches& matches = m_comparison.matches();
    const auto row = static_cast<std::size_t>(place.place);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Match manually..."), this, [this] { askForMatch(m_comparison, this); });
    if (place.group == MatchModel::Group::Pairs && matches.pairs[row].rule == MatchRule::Manual) {
        const std::string path = m_comparison.document().tensors().at(matches.pairs[row].a).path;
        menu->addAction(tr("&Remove manual match"), this,
                        [this, path] { matchManually(m_comparison.document(), path, {}); });
    }
    menu->popup(m_tree->viewport()->mapToGlobal(at));
}

}  // namespace calibscope
