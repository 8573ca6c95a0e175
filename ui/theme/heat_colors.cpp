#include "ui/theme/heat_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::array<QRgb, 11> viridis = {0xff440154, 0xff482475, 0xff414487, 0xff355f8d,
                                          0xff2a788e, 0xff21918c, 0xff22a884, 0xff44bf70,
                                          0xff7ad151, 0xffbddf26, 0xfffde725};

int mixed(int one, int other, double share)
{
    return static_cast<int>(std::lround(one + share * (other - one)));
}

}  // namespace

QColor heatColor(double share, bool isDark)
{
    constexpr double nearGround = 0.12;  // the end of the table that is lost on the ground
    const double along = nearGround + (1.0 - nearGround) * std::clamp(share, 0.0, 1.0);
    const double place = (isDark ? along : 1.0 - along) * (viridis.size() - 1);
    const auto step = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
    const QRgb low = viridis[step];
    const QRgb high = viridis[step + 1];
    const double rest = place - static_cast<double>(step);
    return QColor(mixed(qRed(low), qRed(high), rest), mixed(qGreen(low), qGreen(high), rest),
                  mixed(qBlue(low), qBlue(high), rest));
}

}  // namespace calibscope
