#pragma once

#include "ui/models/channel_facts.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// Which channels of a tensor are listed.
enum class ChannelFilter { All, Outliers, Dead, FewLevels };

/// The channels of a tensor with what is told of their scales, or those of one kind.
class ChannelModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Channel, Scale, TimesMedian, Levels, Bits, ColumnCount };

    static constexpr int ValueRole = Qt::UserRole;  ///< a number with all digits

    using QAbstractTableModel::QAbstractTableModel;

    /// Never nullptr. They are kept, not copied.
    void setFacts(std::shared_ptr<const ChannelFacts> facts);
    /// `levels`: below so many kept levels a channel is one of FewLevels.
    void setFilter(ChannelFilter filter, std::uint64_t levels);
    [[nodiscard]] const ChannelFacts& facts() const { return *m_facts; }
    /// Of all channels, whatever is listed; dead ones are those without a finite value, too.
    [[nodiscard]] std::size_t countOf(ChannelFilter filter) const;
    [[nodiscard]] std::size_t channelAt(int row) const;
    [[nodiscard]] std::optional<int> rowOf(std::size_t channel) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] bool isOf(ChannelFilter filter, const ChannelFact& fact) const;
    [[nodiscard]] QString text(std::size_t channel, int column) const;
    [[nodiscard]] QVariant value(std::size_t channel, int column) const;
    void list();

    std::shared_ptr<const ChannelFacts> m_facts = std::make_shared<const ChannelFacts>();
    ChannelFilter m_filter = ChannelFilter::All;
    std::uint64_t m_levels = 16;
    int m_sortColumn = Channel;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<std::size_t> m_rows;  ///< channels that are listed
};

/// "outlier", "dead", "no value"; blank for a plain one.
[[nodiscard]] QString channelStateText(ChannelState state);

}  // namespace calibscope
