// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_content.h"
#include "ui/plot/plot_frame.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

/// Where Left and Right lead from one of so many things, from none to the first; nothing for other
/// keys and without things.
[[nodiscard]] inline std::optional<std::size_t>
neighbourByKey(const QKeyEvent& event, std::optional<std::size_t> chosen, std::size_t count)
{
    const bool isBack = event.key() == Qt::Key_Left;
    if (count == 0 ||
        event.modifiers().testAnyFlags(Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier) ||
        (!isBack && event.key() != Qt::Key_Right))
        return std::nullopt;
    if (!chosen)
        return 0;
    return isBack ? *chosen - std::min<std::size_t>(*chosen, 1) : std::min(*chosen + 1, count - 1);
}

/// A plot of things side by side, each around a whole number of x.
class SideBySideContent : public PlotContent
{
public:
    /// `first`: where the first of them stands.
    explicit SideBySideContent(
        double first = 0.0,
        QString linearOnly = tr("Channels are shown side by side; their axis is linear."))
        : m_first(first), m_linearOnly(std::move(linearOnly))
    {}

    [[nodiscard]] virtual std::size_t count() const = 0;
    /// The index of the nearest to a place along x; nothing beyond the ends.
    [[nodiscard]] std::optional<std::size_t> placeAt(double x) const
    {
        const double place = std::round(x) - m_first;
        return place >= 0.0 && place < static_cast<double>(count())
                   ? std::optional(static_cast<std::size_t>(place))
                   : std::nullopt;
    }
    [[nodiscard]] XAxis xAxis() const override
    {
        const auto most = static_cast<double>(std::max<std::size_t>(count(), 1));
        return {.all = {m_first - 0.7, m_first + most - 0.3},
                .title = m_xTitle,
                .numbers = TickNumbers::Ordinals,
                .linearOnly = m_linearOnly};
    }

protected:
    using Places = std::pair<std::size_t, std::size_t>;  ///< the first, and behind the last
    /// Of which part lies there.
    [[nodiscard]] Places placesIn(const Range& shown) const
    {
        const auto most = static_cast<double>(count());
        const auto first =
            static_cast<std::size_t>(std::clamp(std::floor(shown.low) - m_first, 0.0, most));
        const auto end =
            static_cast<std::size_t>(std::clamp(std::ceil(shown.high) + 1.0 - m_first, 0.0, most));
        return {first, std::max(first, end)};
    }
    /// Pixels that each of them has.
    [[nodiscard]] static double roomOf(const PlotFrame& frame)
    {
        return frame.area.width() / frame.x.scale.values().width();
    }
    /// Where a number is drawn; an infinite one at the edge.
    [[nodiscard]] static double heightOf(double value, const PlotFrame& frame)
    {
        if (std::isinf(value))
            return value > 0.0 ? frame.area.top() + 4.0 : frame.area.bottom() - 4.0;
        return frame.y.front().scale.toPixel(value);
    }
    /// In a table.
    [[nodiscard]] static double orNan(const std::optional<double>& value)
    {
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
    }

    QString m_xTitle;

private:
    double m_first;
    QString m_linearOnly;
};

/// A channel that is looked at closely.
struct ChosenChannel
{
    std::size_t channel = 0;
    QColor color;
};

/// Channels side by side, in any order.
class ChannelsContent : public SideBySideContent
{
public:
    void setChosen(std::vector<ChosenChannel> chosen) { m_chosen = std::move(chosen); }

    [[nodiscard]] std::size_t count() const override { return m_order.size(); }
    /// The channel nearest to a place along x; nothing beyond the ends.
    [[nodiscard]] std::optional<std::size_t> channelAt(double x) const
    {
        const std::optional<std::size_t> place = placeAt(x);
        return place ? std::optional(m_order[*place]) : std::nullopt;
    }
    [[nodiscard]] XAxis xAxis() const override
    {
        XAxis axis = SideBySideContent::xAxis();
        const auto most = static_cast<double>(std::max<std::size_t>(count(), 1));
        const double margin = 0.5 + 0.01 * most;
        axis.all = {-margin, most - 1.0 + margin};
        return axis;
    }
    [[nodiscard]] QString xText(double x, double step) const override
    {
        const std::optional<std::size_t> channel = channelAt(x);
        return channel ? tr("channel %1").arg(*channel) : PlotContent::xText(x, step);
    }

protected:
    /// None is chosen then.
    void setOrder(std::vector<std::size_t> order)
    {
        m_order = std::move(order);
        m_chosen.clear();
        m_placeOf.resize(m_order.size());
        for (std::size_t place = 0; place < m_order.size(); ++place)
            m_placeOf[m_order[place]] = place;
    }

    std::vector<std::size_t> m_order;    ///< the channel at each place
    std::vector<std::size_t> m_placeOf;  ///< by channel
    std::vector<ChosenChannel> m_chosen;
};

}  // namespace calibscope
