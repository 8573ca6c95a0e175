#include "ui/charts/heat_key.h"

#include "ui/plot/number_label.h"
#include "ui/theme/heat_colors.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

HeatKey::HeatKey(std::span<const std::uint64_t> counts)
    : m_most(counts.empty() ? 0 : std::ranges::max(counts))
{}

double HeatKey::share(std::uint64_t count) const
{
    return m_most > 1 ? std::log(static_cast<double>(count)) / std::log(static_cast<double>(m_most))
                      : 1.0;
}

std::vector<LegendEntry> HeatKey::legend(bool isDark) const
{
    std::vector<LegendEntry> entries;
    const auto add = [&](const QString& text, std::uint64_t count) {
        entries.push_back({.text = text,
                           .color = heatColor(share(count), isDark),
                           .sign = LegendEntry::Sign::Swatch});
    };
    constexpr std::array<std::uint64_t, 5> steps = {1, 10, 1000, 100000, 10000000};
    for (const std::uint64_t count : steps)
        if (count < m_most || count == 1)
            add(countLabel(count), count);
    if (m_most > 1)
        add(QCoreApplication::translate("HeatKey", "%1 values in a cell").arg(countLabel(m_most)),
            m_most);
    return entries;
}

}  // namespace calibscope
