// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/channel_facts.h"
#include "ui/models/table_model.h"

#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// Which channels of a tensor are listed.
enum class ChannelFilter { All, Outliers, Dead, FewLevels };

struct ChannelRow
{
    std::size_t channel = 0;
    const ChannelFact* fact = nullptr;  ///< never null
};

/// The channels of a tensor with the facts about their scales, or those of one kind.
class ChannelModel : public TableModel<ChannelRow>
{
public:
    enum Column { Channel, Scale, TimesMedian, Levels, Bits };

    explicit ChannelModel(QObject* parent = nullptr);

    /// Never nullptr. They are kept, not copied.
    void setFacts(std::shared_ptr<const ChannelFacts> facts);
    /// `levels`: below so many kept levels a channel is one of FewLevels.
    void setFilter(ChannelFilter filter, std::uint64_t levels);
    /// Of all channels, whatever is listed; dead ones are those without a finite value, too.
    [[nodiscard]] std::size_t countOf(ChannelFilter filter) const;
    [[nodiscard]] std::size_t channelAt(int index) const { return row(index).channel; }
    [[nodiscard]] std::optional<int> rowOf(std::size_t channel) const;
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] bool isOf(ChannelFilter filter, const ChannelFact& fact) const;
    void list();

    std::shared_ptr<const ChannelFacts> m_facts = std::make_shared<const ChannelFacts>();
    ChannelFilter m_filter = ChannelFilter::All;
    std::uint64_t m_levels = 16;
    int m_sortColumn = Channel;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

/// "outlier", "dead", "no value"; blank for a plain one.
[[nodiscard]] QString channelStateText(ChannelState state);

}  // namespace calibscope
