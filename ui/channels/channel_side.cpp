#include "ui/channels/channel_side.h"

#include "ui/charts/number_label.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int plotHeight = 170;
constexpr std::array filters = {ChannelFilter::All, ChannelFilter::Outliers, ChannelFilter::Dead,
                                ChannelFilter::FewLevels};

QLabel* numberLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
}

QString decibels(const std::optional<double>& value)
{
    return value ? ChannelSide::tr("%1 dB").arg(fixedLabel(*value, 2)) : QStringLiteral("–");
}

std::optional<double> sqnrOf(const std::optional<Outcome>& outcome)
{
    return outcome && outcome->problem.empty() ? outcome->whole.metric("sqnr_db") : std::nullopt;
}

QString filterText(ChannelFilter filter, std::size_t count)
{
    const QString number = countLabel(count);
    switch (filter) {
    case ChannelFilter::All: return ChannelSide::tr("All %1").arg(number);
    case ChannelFilter::Outliers: return ChannelSide::tr("Outliers %1").arg(number);
    case ChannelFilter::Dead: return ChannelSide::tr("Dead %1").arg(number);
    case ChannelFilter::FewLevels: return ChannelSide::tr("Few levels %1").arg(number);
    }
    return {};
}

QString filterHelp(ChannelFilter filter)
{
    switch (filter) {
    case ChannelFilter::All: return ChannelSide::tr("All channels");
    case ChannelFilter::Outliers:
        return ChannelSide::tr("Channels whose scale is more than %1 times the median, or less "
                               "than its %1th part")
            .arg(outlierFactor);
    case ChannelFilter::Dead:
        return ChannelSide::tr("Channels whose values are all zero, or none of them finite");
    case ChannelFilter::FewLevels:
        return ChannelSide::tr("Channels that keep fewer levels under one scale for the tensor");
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
    m_spread->setFixedHeight(plotHeight);
    m_spread->shown().setCountAxis(CountAxis::Linear);
    layout->addWidget(m_spread);
    layout->addWidget(makeFilters());
    makeTable();
    layout->addWidget(m_table, 1);
    connect(m_spread, &PlotView::readoutChanged, this, &ChannelSide::readoutChanged);
    showCounts();
}

QWidget* ChannelSide::makeGains()
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 4);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    const auto head = [&](int column, const QString& text) {
        QLabel* label = numberLabel(box);
        label->setText(text);
        label->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(label, 0, column);
    };
    auto* title = new QLabel(tr("SQNR of all values"), box);
    title->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(title, 0, 0);
    head(1, tr("per channel"));
    head(2, tr("one scale"));
    head(3, tr("gain"));
    for (std::size_t row = 0; row < m_gains.size(); ++row) {
        GainRow& gain = m_gains[row];
        gain = {new QLabel(box), numberLabel(box), numberLabel(box), numberLabel(box)};
        QFont bold = gain.gain->font();
        bold.setBold(true);
        gain.gain->setFont(bold);
        int column = 0;
        for (QLabel* label : {gain.name, gain.perChannel, gain.perTensor, gain.gain})
            grid->addWidget(label, static_cast<int>(row) + 1, column++);
    }
    return box;
}

QWidget* ChannelSide::makeFilters()
{
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins({});
    grid->setSpacing(4);
    m_filters = new QButtonGroup(this);
    for (std::size_t place = 0; place < filters.size(); ++place) {
        auto* button = new QToolButton(box);
        button->setCheckable(true);
        button->setToolTip(filterHelp(filters[place]));
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_filters->addButton(button, static_cast<int>(place));
        grid->addWidget(button, 0, static_cast<int>(place));
    }
    m_filters->button(0)->setChecked(true);
    auto* label = new QLabel(tr("Few levels are fewer than"), box);
    m_levels = new QSpinBox(box);
    m_levels->setRange(2, 65536);
    m_levels->setValue(16);
    label->setBuddy(m_levels);
    grid->addWidget(label, 1, 0, 1, 3, Qt::AlignRight);
    grid->addWidget(m_levels, 1, 3);
    connect(m_filters, &QButtonGroup::idClicked, this, [this] { setFilter(filter()); });
    connect(m_levels, &QSpinBox::valueChanged, this, [this] { setFilter(filter()); });
    return box;
}

void ChannelSide::makeTable()
{
    m_table->setModel(m_model);
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
    return filters[static_cast<std::size_t>(std::max(m_filters->checkedId(), 0))];
}

void ChannelSide::setFilter(ChannelFilter filter)
{
    const auto place = std::ranges::find(filters, filter) - filters.begin();
    m_filters->button(static_cast<int>(place))->setChecked(true);
    m_model->setFilter(filter, static_cast<std::uint64_t>(m_levels->value()));
    showCounts();
}

void ChannelSide::showCounts()
{
    for (std::size_t place = 0; place < filters.size(); ++place)
        m_filters->button(static_cast<int>(place))
            ->setText(filterText(filters[place], m_model->countOf(filters[place])));
}

void ChannelSide::setGains(const std::array<Gain, 2>& gains)
{
    for (std::size_t row = 0; row < gains.size(); ++row) {
        const GainRow& shown = m_gains[row];
        const Gain& gain = gains[row];
        for (QLabel* label : {shown.name, shown.perChannel, shown.perTensor, shown.gain})
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

void ChannelSide::setFacts(const ChannelFacts& facts)
{
    m_model->setFacts(facts);
    std::vector<double> scales;
    for (const ChannelFact& fact : facts.channels)
        if (fact.extents.absMax() > 0.0)
            scales.push_back(fact.scale);
    m_spread->shown().setScales(scales);
    m_spread->setTitle(
        tr("Spread of the scales"),
        scales.empty()
            ? QString()
            : tr("%1 bits from least to greatest").arg(valueLabel(facts.spreadBits(), 3)));
    m_spread->update(true);
    showCounts();
}

void ChannelSide::setChosen(const std::vector<std::size_t>& channels)
{
    m_isFollowing = true;
    const std::optional<int> row =
        channels.empty() ? std::nullopt : m_model->rowOf(channels.back());
    if (row)
        m_table->setCurrentIndex(m_model->index(*row, 0));
    else
        m_table->clearSelection();
    m_isFollowing = false;
}

}  // namespace calibscope
