// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channel_side.h"

#include "ui/plot/number_label.h"
#include "ui/plot/table_menu.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace calibscope {

namespace {

constexpr int tallestPlot = 170;
constexpr int narrowestPlot = 180;
constexpr int widthForBits = 310;                 // below it the column of bits is left out
constexpr const char* widestNumber = "×8.8e−88";  // of what shortLabel() makes
constexpr int cellMargin = 10;
constexpr int shortestFilter = 8;  // characters
constexpr std::array filters = {ChannelFilter::All, ChannelFilter::Outliers, ChannelFilter::Dead,
                                ChannelFilter::FewLevels};

QLabel* numberLabel(QWidget* parent)
{
    auto* label = new PlainLabel(parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
}

QString decibels(const std::optional<double>& value)
{
    return value ? fixedLabel(*value, 2) : QStringLiteral("–");
}

std::optional<double> sqnrOf(const std::optional<Outcome>& outcome)
{
    return outcome && outcome->problem.empty() ? outcome->whole.metric("sqnr_db") : std::nullopt;
}

QString filterText(ChannelFilter filter, std::size_t count, int levels)
{
    const QString number = countLabel(count);
    switch (filter) {
    case ChannelFilter::All: return ChannelSide::tr("All channels (%1)").arg(number);
    case ChannelFilter::Outliers: return ChannelSide::tr("Outliers (%1)").arg(number);
    case ChannelFilter::Dead: return ChannelSide::tr("Dead or effectively dead (%1)").arg(number);
    case ChannelFilter::FewLevels:
        return ChannelSide::tr("Below %1 levels (%2)").arg(countLabel(std::size_t(levels)), number);
    }
    return {};
}

QString filterHelp(ChannelFilter filter)
{
    switch (filter) {
    case ChannelFilter::All: return ChannelSide::tr("All channels");
    case ChannelFilter::Outliers:
        return ChannelSide::tr(
                   "Channels whose scale is more than %1 times the median, or less than 1/%1 of it")
            .arg(outlierFactor);
    case ChannelFilter::Dead:
        return ChannelSide::tr("Channels whose values are all zero, none of them finite, or all "
                               "below one step of the tensor's scale");
    case ChannelFilter::FewLevels:
        return ChannelSide::tr("Channels left with fewer levels under one scale for the tensor");
    }
    return {};
}

}  // namespace

ChannelSide::ChannelSide(QWidget* parent)
    : QWidget(parent),
      m_spread(new ContentPlot<SpreadContent>(this)),
      m_model(new ChannelModel(this)),
      m_table(new QTableView(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->addWidget(makeGains());
    m_spread->setMaximumHeight(tallestPlot);
    m_spread->setMinimumWidth(narrowestPlot);
    m_spread->shown().setCountAxis(CountAxis::Linear);
    layout->addWidget(m_spread, 1);
    layout->addWidget(makeFilters());
    makeTable();
    layout->addWidget(m_table, 2);
    connect(m_spread, &PlotView::readoutChanged, this, &ChannelSide::readoutChanged);
    showCounts();
}

QWidget* ChannelSide::makeGains()
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 4);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    const auto head = [&](int column, const QString& text) {
        QLabel* label = numberLabel(box);
        label->setText(text);
        label->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(label, 0, column);
    };
    auto* title = new PlainLabel(tr("SQNR, dB"), box);
    title->setToolTip(tr("SQNR of all values of the tensor"));
    title->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(title, 0, 0);
    head(1, tr("per channel"));
    head(2, tr("one scale"));
    head(3, tr("gain"));
    for (std::size_t row = 0; row < m_gains.size(); ++row) {
        GainRow& gain = m_gains[row];
        gain = {new ElidedLabel(Qt::ElideRight, box), numberLabel(box), numberLabel(box),
                numberLabel(box)};
        gain.name->setForegroundRole(QPalette::WindowText);  // else that of the page, Text
        gain.name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        QFont bold = gain.gain->font();
        bold.setBold(true);
        gain.gain->setFont(bold);
        int column = 0;
        for (QWidget* label :
             std::initializer_list<QWidget*>{gain.name, gain.perChannel, gain.perTensor, gain.gain})
            grid->addWidget(label, static_cast<int>(row) + 1, column++);
    }
    return box;
}

QWidget* ChannelSide::makeFilters()
{
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins({});
    row->setSpacing(6);
    m_filters = new QComboBox(box);
    m_filters->setAccessibleName(tr("Channels in the table"));
    m_filters->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_filters->setMinimumContentsLength(shortestFilter);
    for (std::size_t place = 0; place < filters.size(); ++place) {
        m_filters->addItem(QString());
        m_filters->setItemData(static_cast<int>(place), filterHelp(filters[place]),
                               Qt::ToolTipRole);
    }
    m_levels = new QSpinBox(box);
    m_levels->setRange(2, 65536);
    m_levels->setValue(16);
    m_levels->setAccessibleName(tr("Limit of few levels"));
    m_levels->setToolTip(tr("Channels with fewer levels than this are listed"));
    m_levels->hide();
    row->addWidget(m_filters, 1);
    row->addWidget(m_levels);
    connect(m_filters, &QComboBox::activated, this, [this] { setFilter(filter()); });
    connect(m_levels, &QSpinBox::valueChanged, this, [this] { setFilter(filter()); });
    return box;
}

void ChannelSide::makeTable()
{
    m_table->setModel(m_model);
    addTableMenu(*m_table, tableSortRole);
    m_table->setAccessibleName(tr("Channels"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    for (const int column : {ChannelModel::Channel, ChannelModel::Levels}) {
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        m_table->setColumnWidth(column, fontMetrics().horizontalAdvance(QStringLiteral("00000")) +
                                            cellMargin);
    }
    m_table->horizontalHeader()->setMinimumSectionSize(
        fontMetrics().horizontalAdvance(QStringLiteral("0000")) + cellMargin);
    // Exponents are never cut: the plots give way.
    const int number = fontMetrics().horizontalAdvance(QString::fromUtf8(widestNumber));
    m_table->setMinimumWidth(m_table->columnWidth(ChannelModel::Channel) +
                             2 * (number + cellMargin) + 2 * m_table->frameWidth() +
                             m_table->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    m_table->sortByColumn(ChannelModel::Channel, Qt::AscendingOrder);
    m_table->setSortingEnabled(true);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid() && !m_isFollowing)
                    Q_EMIT channelChosen(m_model->channelAt(current.row()));
            });
}

ChannelFilter ChannelSide::filter() const
{
    return filters[static_cast<std::size_t>(std::max(m_filters->currentIndex(), 0))];
}

void ChannelSide::setFilter(ChannelFilter filter)
{
    const auto place = std::ranges::find(filters, filter) - filters.begin();
    m_filters->setCurrentIndex(static_cast<int>(place));
    m_levels->setVisible(filter == ChannelFilter::FewLevels);
    m_model->setFilter(filter, static_cast<std::uint64_t>(m_levels->value()));
    showCounts();
}

void ChannelSide::showCounts()
{
    for (std::size_t place = 0; place < filters.size(); ++place)
        m_filters->setItemText(
            static_cast<int>(place),
            filterText(filters[place], m_model->countOf(filters[place]), m_levels->value()));
}

void ChannelSide::setGains(const std::array<Gain, 2>& gains)
{
    for (std::size_t row = 0; row < gains.size(); ++row) {
        const GainRow& shown = m_gains[row];
        const Gain& gain = gains[row];
        for (QWidget* label : std::initializer_list<QWidget*>{shown.name, shown.perChannel,
                                                              shown.perTensor, shown.gain})
            label->setVisible(gain.scales != nullptr);
        if (!gain.scales)
            continue;
        QPalette colored = palette();
        colored.setColor(QPalette::WindowText, gain.color);
        shown.name->setPalette(colored);
        shown.name->setText(gain.label);
        const std::optional<double> perChannel = sqnrOf(gain.scales->perChannel);
        const std::optional<double> perTensor = sqnrOf(gain.scales->perTensor);
        const bool isPending = gain.scales->isPending;
        shown.perChannel->setText(isPending ? QStringLiteral("…") : decibels(perChannel));
        shown.perTensor->setText(isPending ? QStringLiteral("…") : decibels(perTensor));
        shown.gain->setText(perChannel && perTensor ? decibels(*perChannel - *perTensor)
                                                    : QStringLiteral("–"));
    }
}

void ChannelSide::setFacts(const std::shared_ptr<const ChannelFacts>& facts)
{
    m_model->setFacts(facts);
    std::vector<double> scales;
    for (const ChannelFact& fact : facts->channels)
        if (fact.extents.absMax() > 0.0 && fact.state != ChannelState::BelowStep)
            scales.push_back(fact.scale);
    m_spread->shown().setScales(scales);
    m_spread->setTitle(
        tr("Spread of the scales"),
        scales.empty()
            ? QString()
            : tr("%1 bits from least to greatest").arg(valueLabel(facts->spreadBits(), 3)));
    m_spread->update(true);
    showCounts();
    fitColumns();
}

void ChannelSide::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

/// Levels are left out where the numbers before them would be cut.
void ChannelSide::fitColumns()
{
    m_table->setColumnHidden(ChannelModel::Bits, width() < widthForBits);
    const QAbstractItemView& view = *m_table;
    const int levels =
        fontMetrics().horizontalAdvance(QStringLiteral("00000")) + cellMargin;  // 0 while hidden
    const int number = std::max(view.sizeHintForColumn(ChannelModel::Scale),
                                view.sizeHintForColumn(ChannelModel::TimesMedian));
    m_table->setColumnHidden(ChannelModel::Levels,
                             m_table->width() <
                                 m_table->columnWidth(ChannelModel::Channel) + levels + 2 * number +
                                     2 * m_table->frameWidth() +
                                     m_table->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void ChannelSide::setChosen(const std::vector<std::size_t>& channels)
{
    m_isFollowing = true;
    // Of one that was added the last, of many that were chosen at once the first.
    const bool isAdded = channels.size() > 1 && m_known.size() + 1 == channels.size();
    m_known = channels;
    const std::optional<int> row =
        channels.empty() ? std::nullopt
                         : m_model->rowOf(isAdded ? channels.back() : channels.front());
    if (row) {
        m_table->setCurrentIndex(m_model->index(*row, 0));
        m_table->scrollTo(m_model->index(*row, 0), QAbstractItemView::PositionAtCenter);
    } else {
        m_table->clearSelection();
    }
    m_isFollowing = false;
}

}  // namespace calibscope
