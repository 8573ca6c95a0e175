#include "ui/models/channel_model.h"

#include "ui/plot/number_label.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

QString channelStateText(ChannelState state)
{
    switch (state) {
    case ChannelState::NoValue: return ChannelModel::tr("no value");
    case ChannelState::Dead: return ChannelModel::tr("dead");
    case ChannelState::BelowStep: return ChannelModel::tr("effectively dead");
    case ChannelState::Outlier: return ChannelModel::tr("outlier");
    case ChannelState::Plain: return {};
    }
    return {};
}

void ChannelModel::setFacts(std::shared_ptr<const ChannelFacts> facts)
{
    beginResetModel();
    m_facts = std::move(facts);
    list();
    endResetModel();
}

void ChannelModel::setFilter(ChannelFilter filter, std::uint64_t levels)
{
    beginResetModel();
    m_filter = filter;
    m_levels = levels;
    list();
    endResetModel();
}

bool ChannelModel::isOf(ChannelFilter filter, const ChannelFact& fact) const
{
    switch (filter) {
    case ChannelFilter::All: return true;
    case ChannelFilter::Outliers: return fact.state == ChannelState::Outlier;
    case ChannelFilter::Dead:
        return fact.state == ChannelState::Dead || fact.state == ChannelState::NoValue ||
               fact.state == ChannelState::BelowStep;
    case ChannelFilter::FewLevels:
        return fact.extents.absMax() > 0.0 && fact.levelsKept && *fact.levelsKept < m_levels;
    }
    return true;
}

std::size_t ChannelModel::countOf(ChannelFilter filter) const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        m_facts->channels, [&](const ChannelFact& fact) { return isOf(filter, fact); }));
}

void ChannelModel::list()
{
    m_rows.clear();
    for (std::size_t channel = 0; channel < m_facts->channels.size(); ++channel)
        if (isOf(m_filter, m_facts->channels[channel]))
            m_rows.push_back(channel);
    const auto key = [this](std::size_t channel) {
        const ChannelFact& fact = m_facts->channels[channel];
        switch (m_sortColumn) {
        case Scale: return fact.scale;
        case TimesMedian: return fact.timesMedian;
        case Levels:
        case Bits: return static_cast<double>(fact.levelsKept.value_or(0));
        default: return static_cast<double>(channel);
        }
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::ranges::stable_sort(m_rows, std::less{}, key);
    else
        std::ranges::stable_sort(m_rows, std::greater{}, key);
}

void ChannelModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    list();
    endResetModel();
}

std::size_t ChannelModel::channelAt(int row) const
{
    return m_rows.at(static_cast<std::size_t>(row));
}

std::optional<int> ChannelModel::rowOf(std::size_t channel) const
{
    const auto found = std::ranges::find(m_rows, channel);
    if (found == m_rows.end())
        return std::nullopt;
    return static_cast<int>(found - m_rows.begin());
}

int ChannelModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ChannelModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ChannelModel::text(std::size_t channel, int column) const
{
    const ChannelFact& fact = m_facts->channels[channel];
    const bool hasScale = fact.extents.absMax() > 0.0;
    switch (column) {
    case Channel: return QString::number(channel);
    case Scale: return hasScale ? shortLabel(fact.scale) : channelStateText(fact.state);
    case TimesMedian:
        if (fact.state == ChannelState::BelowStep)
            return tr("≈ dead");  // how many times is of no interest
        return hasScale ? QStringLiteral("×") + shortLabel(fact.timesMedian) : QString();
    case Levels: return hasScale && fact.levelsKept ? countLabel(*fact.levelsKept) : QString();
    case Bits:
        return hasScale && fact.levelsKept
                   ? fixedLabel(std::log2(static_cast<double>(*fact.levelsKept)), 1)
                   : QString();
    default: return {};
    }
}

QVariant ChannelModel::value(std::size_t channel, int column) const
{
    const ChannelFact& fact = m_facts->channels[channel];
    if (column == Channel)
        return static_cast<qulonglong>(channel);
    if (text(channel, column).isEmpty() || fact.extents.absMax() <= 0.0)
        return {};
    switch (column) {
    case Scale: return fact.scale;
    case TimesMedian: return fact.timesMedian;
    case Levels: return static_cast<qulonglong>(*fact.levelsKept);
    case Bits: return std::log2(static_cast<double>(*fact.levelsKept));
    default: return {};
    }
}

QVariant ChannelModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const std::size_t channel = channelAt(index.row());
    const ChannelFact& fact = m_facts->channels[channel];
    switch (role) {
    case Qt::DisplayRole: return text(channel, index.column());
    case ValueRole: return value(channel, index.column());
    case Qt::TextAlignmentRole: return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (fact.extents.finite == 0)
            return tr("Channel %1 has no finite value.").arg(channel);
        return tr("Channel %1: %2 values from %3 to %4")
                   .arg(channel)
                   .arg(countLabel(fact.extents.values()), valueLabel(fact.extents.min),
                        valueLabel(fact.extents.max)) +
               (fact.state == ChannelState::BelowStep
                    ? tr("\nEffectively dead: below one step of the tensor's scale")
                    : QString());
    default: return {};
    }
}

QVariant ChannelModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    const bool wantsHelp = role == Qt::ToolTipRole;
    if (role != Qt::DisplayRole && !wantsHelp)
        return {};
    switch (section) {
    case Channel: return wantsHelp ? tr("Channel") : tr("Ch.");
    case Scale: return tr("Scale");
    case TimesMedian: return wantsHelp ? tr("Its scale divided by the median scale") : tr("× med.");
    case Levels:
        return wantsHelp
                   ? tr("Number of integers that its values can use under one scale for the tensor")
                   : tr("Levels");
    case Bits: return wantsHelp ? tr("log2 of the levels") : tr("Bits");
    default: return {};
    }
}

}  // namespace calibscope
