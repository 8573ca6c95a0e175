// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/observer/observed_search.h"

#include "core/calibrators/observer/torch_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace calibscope {

namespace {

/// Integral of x^2 from `begin` to `end`, times the density.
float squares(float begin, float end, float density)
{
    return density * ((end * end * end - begin * begin * begin) / 3.0F);
}

/// Error inside one bin: what reaches from its begin to the end of that part, whole parts, and what
/// reaches into the part of its end.
class BinError
{
public:
    BinError(double binWidth, double partWidth, std::size_t levels)
        : m_binWidth(static_cast<float>(binWidth)),
          m_partWidth(static_cast<float>(partWidth)),
          m_halfPart(static_cast<float>(partWidth / 2.0)),
          m_lastPart(static_cast<float>(levels - 1))
    {}

    [[nodiscard]] float operator()(float binsFromFirst, float count) const
    {
        const float begin = binsFromFirst * m_binWidth;
        const float end = begin + m_binWidth;
        const float beginPart = partOf(begin);
        const float endPart = partOf(end);
        const float beginCentre = (beginPart + 0.5F) * m_partWidth;
        const float endCentre = endPart * m_partWidth + m_halfPart;
        const float density = count / m_binWidth;
        float error = squares(begin - beginCentre, m_halfPart, density);
        error += (endPart - beginPart - 1.0F) * squares(-m_halfPart, m_halfPart, density);
        error += squares(-m_halfPart, end - endCentre, density);
        return error;
    }

private:
    /// torch.floor_divide of float32, clamped; NaN where that is. Its remainder is exact, and so is
    /// the whole part in double: a quotient of two floats below 2^22 that is not whole lies at least
    /// 2^-24 from a whole number.
    [[nodiscard]] float partOf(float place) const
    {
        const double quotient = static_cast<double>(place) / static_cast<double>(m_partWidth);
        if (!std::isfinite(quotient))
            return std::numeric_limits<float>::quiet_NaN();
        return static_cast<float>(
            static_cast<std::int32_t>(std::clamp(quotient, 0.0, static_cast<double>(m_lastPart))));
    }

    float m_binWidth;
    float m_partWidth;
    float m_halfPart;
    float m_lastPart;
};

double widthOf(const SingleRange& range, std::size_t bins)
{
    return (static_cast<double>(range.high) - static_cast<double>(range.low)) /
           static_cast<double>(bins);
}

/// Running sums, added in double and kept in float32.
std::vector<float> cumulated(const std::vector<float>& counts)
{
    std::vector<float> sums;
    double sum = 0.0;
    for (const float count : counts) {
        sum += static_cast<double>(count);
        sums.push_back(static_cast<float>(sum));
    }
    return sums;
}

/// How far both ends of a window may move: up to the bins that hold the quantiles.
ObservedWindow reach(const ObservedWindow& window, const std::vector<float>& sums, float lowSum,
                     float highSum)
{
    ObservedWindow reached = window;
    while (reached.first < window.last && sums[reached.first] < lowSum)
        ++reached.first;
    while (reached.last > window.first && sums[reached.last] > highSum)
        --reached.last;
    return reached;
}

}  // namespace

float observedError(const std::vector<float>& counts, const SingleRange& range, std::size_t levels,
                    std::size_t first, std::size_t last)
{
    const double binWidth = widthOf(range, counts.size());
    const double partWidth =
        binWidth * static_cast<double>(last - first + 1) / static_cast<double>(levels);
    if (partWidth == 0.0)
        return 0.0F;
    const BinError error(binWidth, partWidth, levels);
    std::vector<float> errors;
    errors.reserve(counts.size());
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        errors.push_back(error(static_cast<float>(bin) - static_cast<float>(first), counts[bin]));
    return torchSum(errors);
}

ObservedWindow searchObserved(const std::vector<float>& counts, const SingleRange& range,
                              std::size_t levels, double step)
{
    const std::vector<float> sums = cumulated(counts);
    const double total = static_cast<double>(torchSum(counts));
    ObservedWindow window{.first = 0, .last = counts.size() - 1};
    float least = std::numeric_limits<float>::infinity();
    double low = 0.0;
    double high = 1.0;
    while (low < high) {
        const double nextLow = low + step;
        const double nextHigh = high - step;
        const ObservedWindow reached = reach(window, sums, static_cast<float>(nextLow * total),
                                             static_cast<float>(nextHigh * total));
        ObservedWindow next = window;
        if (reached.first - window.first > window.last - reached.last) {
            next.first = reached.first;
            low = nextLow;
        } else {
            next.last = reached.last;
            high = nextHigh;
        }
        if (next.first == window.first && next.last == window.last)
            continue;
        const float error = observedError(counts, range, levels, next.first, next.last);
        if (error > least) {
            window.endsAtIncrease = true;
            break;
        }
        least = error;
        window = next;
        ++window.moves;
    }
    return window;
}

SingleRange valuesOf(const ObservedWindow& window, const SingleRange& range, std::size_t bins)
{
    const float width = (range.high - range.low) / static_cast<float>(bins);
    return {.low = range.low + width * static_cast<float>(window.first),
            .high = range.low + width * static_cast<float>(window.last + 1)};
}

}  // namespace calibscope
