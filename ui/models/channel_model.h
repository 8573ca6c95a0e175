// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"
#include "ui/document/channels_display.h"
#include "ui/models/table_model.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// Findings on a channel, the gravest first.
enum class ChannelState {
    NoValue,    ///< no finite value
    Dead,       ///< all its values are zero
    BelowStep,  ///< effectively dead: all its magnitudes are below one step of the tensor's scale
    Outlier,    ///< its scale is more than outlierFactor times the median, or less than 1 / that
    Plain,
};

constexpr double outlierFactor = 3.0;

struct ChannelFact
{
    double scale = 0.0;
    double timesMedian = 0.0;  ///< 0 where it is dead or has no value
    ChannelState state = ChannelState::Plain;
    /// Integers that its values can become under the tensor's one scale: at most so many levels
    /// are kept of it. 0 without a value; nothing without a scale for the tensor.
    std::optional<std::uint64_t> levelsKept = {};
    Extents extents = {};
};

/// The scales of a tensor's channels against one scale for all.
struct ChannelFacts
{
    std::vector<ChannelFact> channels;
    std::optional<double> tensorScale;
    double median = 0.0;      ///< of the scales of channels that are none of the first three
    double leastScale = 0.0;  ///< of those channels; 0 without any
    double greatestScale = 0.0;

    /// log2 of the greatest over the least scale; 0 without any.
    [[nodiscard]] double spreadBits() const;
    [[nodiscard]] std::size_t countOf(ChannelState state) const;
    /// Channels of which fewer levels are kept, dead ones and those without a value left out.
    [[nodiscard]] std::size_t countBelow(std::uint64_t levels) const;
};

/// Of an outcome with a scale per channel, against one of the same calibrator for the tensor.
[[nodiscard]] ChannelFacts channelFacts(const Outcome& perChannel, const Outcome* perTensor);

/// The channel at each place.
[[nodiscard]] std::vector<std::size_t> channelOrder(const ChannelFacts& facts, ChannelOrder order);

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
