// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/channel_model.h"

#include "core/base/median.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace calibscope {

namespace {

bool isAlive(const Extents& extents)
{
    return extents.absMax() > 0.0;
}

/// Of a channel with values: whether one scale for the tensor makes all of it 0 or the levels
/// beside.
bool isBelow(const std::optional<double>& tensorScale, const Extents& extents)
{
    return tensorScale && extents.absMax() < *tensorScale;
}

ChannelState stateOf(const ChannelFact& fact, const std::optional<double>& tensorScale)
{
    if (fact.extents.finite == 0)
        return ChannelState::NoValue;
    if (!isAlive(fact.extents))
        return ChannelState::Dead;
    if (isBelow(tensorScale, fact.extents))
        return ChannelState::BelowStep;
    const bool isNear =
        fact.timesMedian <= outlierFactor && fact.timesMedian * outlierFactor >= 1.0;
    return isNear ? ChannelState::Plain : ChannelState::Outlier;
}

std::uint64_t levelsOf(const Extents& extents, const Quantizer& quantizer)
{
    if (extents.finite == 0)
        return 0;
    return static_cast<std::uint64_t>(quantizer.level(extents.max) - quantizer.level(extents.min)) +
           1;
}

}  // namespace

double ChannelFacts::spreadBits() const
{
    return leastScale > 0.0 ? std::log2(greatestScale / leastScale) : 0.0;
}

std::size_t ChannelFacts::countOf(ChannelState state) const
{
    return static_cast<std::size_t>(std::ranges::count(channels, state, &ChannelFact::state));
}

std::size_t ChannelFacts::countBelow(std::uint64_t levels) const
{
    return static_cast<std::size_t>(std::ranges::count_if(channels, [&](const ChannelFact& fact) {
        return isAlive(fact.extents) && fact.levelsKept && *fact.levelsKept < levels;
    }));
}

ChannelFacts channelFacts(const Outcome& perChannel, const Outcome* perTensor)
{
    ChannelFacts facts;
    const bool hasTensor = perTensor && perTensor->problem.empty();
    if (hasTensor)
        facts.tensorScale = perTensor->whole.quantizer.scale;
    std::vector<double> alive;
    for (const ScaleRow& row : perChannel.channels) {
        facts.channels.push_back({.scale = row.quantizer.scale, .extents = row.extents});
        if (isAlive(row.extents) && !isBelow(facts.tensorScale, row.extents))
            alive.push_back(row.quantizer.scale);
    }
    if (!alive.empty())
        std::tie(facts.leastScale, facts.greatestScale) =
            std::minmax({*std::ranges::min_element(alive), *std::ranges::max_element(alive)});
    facts.median = medianOf(std::move(alive));
    for (ChannelFact& fact : facts.channels) {
        if (isAlive(fact.extents) && facts.median > 0.0)
            fact.timesMedian = fact.scale / facts.median;
        fact.state = stateOf(fact, facts.tensorScale);
        if (hasTensor)
            fact.levelsKept = levelsOf(fact.extents, perTensor->whole.quantizer);
    }
    return facts;
}

std::vector<std::size_t> channelOrder(const ChannelFacts& facts, ChannelOrder order)
{
    std::vector<std::size_t> places(facts.channels.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto scale = [&](std::size_t channel) { return facts.channels[channel].scale; };
    const auto state = [&](std::size_t channel) { return facts.channels[channel].state; };
    switch (order) {
    case ChannelOrder::Index: break;
    case ChannelOrder::State:
    case ChannelOrder::Scale: std::ranges::stable_sort(places, {}, scale); break;
    }
    if (order == ChannelOrder::State)
        std::ranges::stable_sort(places, {}, state);
    return places;
}

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
