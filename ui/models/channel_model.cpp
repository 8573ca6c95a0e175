// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/channel_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace calibscope {

QString channelStateText(ChannelState state)
{
    switch (state) {
    case ChannelState::NoValue: return tr("no value");
    case ChannelState::Dead: return tr("dead");
    case ChannelState::BelowStep: return tr("effectively dead");
    case ChannelState::Outlier: return tr("outlier");
    case ChannelState::Plain: return {};
    }
    return {};
}

namespace {

bool hasScale(const ChannelRow& row)
{
    return row.fact->extents.absMax() > 0.0;
}

QString timesMedianText(const ChannelRow& row)
{
    if (row.fact->state == ChannelState::BelowStep)
        return tr("≈ dead");  // how many times is of no interest
    return hasScale(row) ? QStringLiteral("×") + shortLabel(row.fact->timesMedian) : QString();
}

std::optional<double> usedLevels(const ChannelRow& row)
{
    return hasScale(row) && row.fact->levelsKept
               ? std::optional(static_cast<double>(*row.fact->levelsKept))
               : std::nullopt;
}

std::optional<double> bitsOf(const ChannelRow& row)
{
    const std::optional<double> levels = usedLevels(row);
    return levels ? std::optional(std::log2(*levels)) : std::nullopt;
}

QString toolTip(const ChannelRow& row)
{
    const Extents& extents = row.fact->extents;
    if (extents.finite == 0)
        return tr("Channel %1 has no finite value.").arg(row.channel);
    return tr("Channel %1: %2 values from %3 to %4")
               .arg(row.channel)
               .arg(countLabel(extents.values()), valueLabel(extents.min),
                    valueLabel(extents.max)) +
           (row.fact->state == ChannelState::BelowStep
                ? tr("\nEffectively dead: below one step of the tensor's scale")
                : QString());
}

TableDescriptor<ChannelRow> channelTable()
{
    using Row = ChannelRow;
    const auto whereScaled = [](double ChannelFact::*number) {
        return [number](const Row& row) {
            return hasScale(row) ? std::optional(row.fact->*number) : std::nullopt;
        };
    };
    TableDescriptor<Row> table{.columns = {}, .toolTip = toolTip};
    table.addNumber(
        tr("Ch."), tr("Channel"), [](const Row& row) { return QString::number(row.channel); },
        [](const Row& row) { return std::optional(static_cast<double>(row.channel)); });
    table.addNumber(
        tr("Scale"), {},
        [](const Row& row) {
            return hasScale(row) ? shortLabel(row.fact->scale) : channelStateText(row.fact->state);
        },
        whereScaled(&ChannelFact::scale));
    table.addNumber(tr("× med."), tr("Its scale divided by the median scale"), timesMedianText,
                    whereScaled(&ChannelFact::timesMedian));
    table.addNumber(
        tr("Levels"),
        tr("Number of integers that its values can use under one scale for the tensor"),
        [](const Row& row) {
            return usedLevels(row) ? countLabel(*row.fact->levelsKept) : QString();
        },
        usedLevels);
    table.addNumber(
        tr("Bits"), tr("log2 of the levels"),
        [](const Row& row) { return bitsOf(row) ? fixedLabel(*bitsOf(row), 1) : QString(); },
        bitsOf);
    return table;
}

}  // namespace

ChannelModel::ChannelModel(QObject* parent) : TableModel(channelTable(), parent) {}

void ChannelModel::setFacts(std::shared_ptr<const ChannelFacts> facts)
{
    setRows({});  // those shown belong to the facts before
    m_facts = std::move(facts);
    list();
}

void ChannelModel::setFilter(ChannelFilter filter, std::uint64_t levels)
{
    m_filter = filter;
    m_levels = levels;
    list();
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
    std::vector<ChannelRow> rows;
    for (std::size_t channel = 0; channel < m_facts->channels.size(); ++channel)
        if (isOf(m_filter, m_facts->channels[channel]))
            rows.push_back({.channel = channel, .fact = &m_facts->channels[channel]});
    const auto key = [this](const ChannelRow& row) {
        switch (m_sortColumn) {
        case Scale: return row.fact->scale;
        case TimesMedian: return row.fact->timesMedian;
        case Levels:
        case Bits: return static_cast<double>(row.fact->levelsKept.value_or(0));
        default: return static_cast<double>(row.channel);
        }
    };
    if (m_sortOrder == Qt::AscendingOrder)
        std::ranges::stable_sort(rows, std::less{}, key);
    else
        std::ranges::stable_sort(rows, std::greater{}, key);
    setRows(std::move(rows));
}

void ChannelModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    list();
}

std::optional<int> ChannelModel::rowOf(std::size_t channel) const
{
    for (int index = 0; index < rowCount(); ++index)
        if (channelAt(index) == channel)
            return index;
    return std::nullopt;
}

}  // namespace calibscope
