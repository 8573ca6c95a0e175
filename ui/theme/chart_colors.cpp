// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/chart_colors.h"

#include "ui/theme/palettes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

namespace {

struct SeriesColor
{
    QRgb onLight;
    QRgb onDark;
};

constexpr std::array<SeriesColor, seriesColorCount> seriesColors = {{
    {0xff0b5cad, 0xff4b8fe3},  // blue
    {0xffd55e00, 0xfff07d35},  // vermillion
    {0xff009468, 0xff1fbf91},  // bluish green
    {0xffad8000, 0xfff0b52e},  // amber
    {0xffb8578f, 0xffdd8fbc},  // reddish purple
    {0xff717a84, 0xff8f97a0},  // grey
    {0xff2590c8, 0xff8fd3f7},  // sky blue
    {0xff7a4a1e, 0xffb98a5e},  // brown
    {0xff6a3fc4, 0xffa98bff},  // violet
    {0xff5f7a00, 0xffb5d151},  // olive
    {0xffb3123f, 0xfff2607a},  // crimson
    {0xff00666b, 0xff35a0a8},  // teal
}};

/// Magenta, which no series has.
constexpr SeriesColor manualColor = {0xffe6009e, 0xffff4fd0};

constexpr std::array dashes = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine,
                               Qt::DashDotDotLine};

constexpr std::array markers = {SeriesMarker::Circle,       SeriesMarker::Square,
                                SeriesMarker::Diamond,      SeriesMarker::TriangleUp,
                                SeriesMarker::TriangleDown, SeriesMarker::Cross};

// 12 colours and 5 dash patterns have no common divisor: 60 pairs before one comes again. Of 60
// styles that share a colour none shares its marker with another: 12 on is one marker on.
static_assert(seriesColors.size() * dashes.size() * markers.size() == seriesStyleCount);

/// Relative luminance as WCAG 2 defines it, 0 to 1.
double luminance(const QColor& color)
{
    const auto linear = [](float share) {
        const auto channel = static_cast<double>(share);
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

// In both themes from teal over blue to violet, in equal steps of CIELAB's lightness away from the
// ground, hue 195 to 310 degrees.
constexpr std::array<QRgb, 11> heatOnLight = {0xffbfeeed, 0xff88dfe6, 0xff42cde5, 0xff0ab8dd,
                                              0xff15a1ce, 0xff0f8bc0, 0xff0576b3, 0xff0360a7,
                                              0xff2c4a8e, 0xff39366b, 0xff352449};
constexpr std::array<QRgb, 11> heatOnDark = {0xff003736, 0xff03484d, 0xff045966, 0xff006b83,
                                             0xff0d7da2, 0xff0c8fc6, 0xff1ba0f1, 0xff7aaefc,
                                             0xffafbcff, 0xffd6ceff, 0xfff1e3ff};

int mixed(int one, int other, double share)
{
    return static_cast<int>(std::lround(one + share * (other - one)));
}

}  // namespace

const ChartColors& lightChartColors()
{
    static const ChartColors colors{
        .isDark = false,
        .background = QColor(0xffffff),
        .grid = QColor(0xe9ecf0),
        .axis = QColor(0x9aa2ab),
        .text = QColor(0x353c44),
        .faintText = QColor(0x687079),
        .fill = QColor(0x7593c4),
        .clipped = QColor(0xaeb5bd),
        .crosshair = QColor(0x596470),
    };
    return colors;
}

const ChartColors& darkChartColors()
{
    static const ChartColors colors{
        .isDark = true,
        .background = QColor(0x17191c),
        .grid = QColor(0x2a2e33),
        .axis = QColor(0x69727b),
        .text = QColor(0xccd2d8),
        .faintText = QColor(0x959da6),
        .fill = QColor(0x5a84b6),
        .clipped = QColor(0x525963),
        .crosshair = QColor(0xa9b2bc),
    };
    return colors;
}

const ChartColors& chartColors(const QPalette& palette)
{
    return isDark(palette) ? darkChartColors() : lightChartColors();
}

SeriesStyle seriesStyle(int index, const ChartColors& colors)
{
    const auto place = static_cast<std::size_t>(std::max(index, 0));
    const SeriesColor& color = seriesColors[place % seriesColors.size()];
    return {QColor(colors.isDark ? color.onDark : color.onLight), dashes[place % dashes.size()],
            markers[(place + place / seriesColors.size()) % markers.size()]};
}

SeriesStyle manualStyle(const ChartColors& colors)
{
    return {QColor(colors.isDark ? manualColor.onDark : manualColor.onLight), Qt::SolidLine,
            SeriesMarker::Diamond};
}

double contrastRatio(const QColor& one, const QColor& other)
{
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor readableOn(const QColor& background, const QColor& color)
{
    constexpr double textContrast = 4.5;
    if (contrastRatio(color, background) >= textContrast)
        return color;
    const bool isLightBackground = luminance(background) > 0.18;  // black and white contrast alike
    QColor readable = color.toHsl();
    while (contrastRatio(readable, background) < textContrast) {
        const float step = isLightBackground ? -0.01F : 0.01F;
        const float lightness = readable.lightnessF() + step;
        if (lightness < 0.0F || lightness > 1.0F)
            return isLightBackground ? QColor(Qt::black) : QColor(Qt::white);
        readable.setHslF(readable.hslHueF(), readable.hslSaturationF(), lightness);
    }
    return readable.toRgb();
}

QColor heatColor(double share, bool isDark)
{
    const auto& colors = isDark ? heatOnDark : heatOnLight;
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
    const auto step = std::min(static_cast<std::size_t>(place), colors.size() - 2);
    const QRgb low = colors[step];
    const QRgb high = colors[step + 1];
    return blended(QColor(low), QColor(high), place - static_cast<double>(step));
}

QColor blended(const QColor& ground, const QColor& color, double share)
{
    return QColor(mixed(ground.red(), color.red(), share),
                  mixed(ground.green(), color.green(), share),
                  mixed(ground.blue(), color.blue(), share));
}

QColor differenceColor(double share, const ChartColors& colors)
{
    constexpr double most = 0.85;
    const QColor loss(colors.isDark ? 0xf07d35 : 0xd55e00);
    return blended(colors.background, share < 0.0 ? loss : colors.fill,
                   most * std::min(std::abs(share), 1.0));
}

}  // namespace calibscope
