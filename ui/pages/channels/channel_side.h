// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/scale_rows_content.h"
#include "ui/models/channel_model.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/channels_reader.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QSpinBox;
class QTableView;

namespace calibscope {

class ElidedLabel;

/// Beside the plots of the Channels page: what a scale per channel gains over one for the tensor,
/// how the scales are spread, and the channels that are odd.
class ChannelSide : public QWidget
{
    Q_OBJECT

public:
    explicit ChannelSide(QWidget* parent = nullptr);

    /// A row of the table of gains.
    struct Gain
    {
        QString label;
        QColor color;
        const ChannelScalesAnswer* scales = nullptr;  ///< nullptr: there is no such row
    };
    void setGains(const std::array<Gain, 2>& gains);
    void setFacts(const std::shared_ptr<const ChannelFacts>& facts);
    /// The channel's row is chosen and scrolled to, where it is listed.
    void setChosen(const std::vector<std::size_t>& channels);

    [[nodiscard]] const ChannelModel& channels() const { return *m_model; }
    void setFilter(ChannelFilter filter);

Q_SIGNALS:
    void channelChosen(std::size_t channel);
    void readoutChanged(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct GainRow
    {
        ElidedLabel* name;
        QLabel* perChannel;
        QLabel* perTensor;
        QLabel* gain;
    };
    [[nodiscard]] QWidget* makeGains();
    [[nodiscard]] QWidget* makeFilters();
    void makeTable();
    void showCounts();
    void fitColumns();
    [[nodiscard]] ChannelFilter filter() const;

    std::array<GainRow, 2> m_gains{};
    ContentPlot<SpreadContent>* m_spread;
    QComboBox* m_filters = nullptr;
    QSpinBox* m_levels = nullptr;
    ChannelModel* m_model;
    QTableView* m_table;
    std::vector<std::size_t> m_known;  ///< the channels chosen
    bool m_isFollowing = false;        ///< the selection is being set by the program
};

}  // namespace calibscope
