#include "ui/widgets/outcome_table.h"

#include "ui/models/outcome_model.h"

#include <QHeaderView>

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

constexpr int leastNameWidth = 150;
constexpr int wholeNameWidth = 170;  // before a further column is shown
constexpr int rowPixels = 28;
/// The last ones are the first to be left out.
constexpr std::array byImportance = {OutcomeModel::Sqnr,     OutcomeModel::Threshold,
                                     OutcomeModel::Scale,    OutcomeModel::Clipped,
                                     OutcomeModel::MaxError, OutcomeModel::Recipes};
constexpr std::size_t indispensable = 3;  // names give way to these

}  // namespace

OutcomeTable::OutcomeTable(OutcomeModel& outcomes, QWidget* parent)
    : QTableView(parent), m_outcomes(outcomes)
{
    setModel(&outcomes);
    setAccessibleName(tr("Outcomes of the calibrators"));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);  // labels differ at their ends
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(rowPixels);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumSectionSize(24);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(&outcomes, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        updateGeometry();
    });
    connect(&outcomes, &QAbstractItemModel::dataChanged, this, &OutcomeTable::fitColumns);
}

QSize OutcomeTable::sizeHint() const
{
    return {380, horizontalHeader()->sizeHint().height() + rowPixels * model()->rowCount() + 4};
}

void OutcomeTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void OutcomeTable::fitColumns()
{
    const int nameNeeds = sizeHintForColumn(OutcomeModel::Calibrator);
    int left = viewport()->width();
    bool isFull = false;
    for (std::size_t place = 0; place < byImportance.size(); ++place) {
        const int column = byImportance[place];
        setColumnHidden(column, false);  // a hidden column has no size
        const int needed =
            std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        const int nameWidth = place < indispensable ? leastNameWidth : wholeNameWidth;
        isFull = isFull || needed > left - std::min(nameNeeds, nameWidth);
        setColumnHidden(column, isFull);
        if (isFull)
            continue;
        setColumnWidth(column, needed);
        left -= needed;
    }
    setColumnWidth(OutcomeModel::Calibrator, left);
}

}  // namespace calibscope
