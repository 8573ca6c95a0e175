// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/tool_edges.h"

#include "core/base/float32.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::size_t lanes = 8;  // float32 in a vector register of 256 bits

/// Where an edge is computed from: PyTorch fills two registers at a time from one base each, and
/// what remains at the end one by one.
struct Lane
{
    std::size_t base;
    std::size_t offset;
};

Lane laneOf(std::size_t edge, std::size_t edges)
{
    const bool isInRegister = edge < edges / (2 * lanes) * (2 * lanes);
    const std::size_t base = isInRegister ? edge / lanes * lanes : edge;
    return {.base = base, .offset = edge - base};
}

/// numpy.arange takes the first two values and continues by their difference.
template <typename Number>
std::vector<double> arange(Number start, Number end, Number width)
{
    const double count = static_cast<double>(std::ceil((end - start) / width));
    if (!(count > 0.0))
        return {};
    std::vector<double> values(static_cast<std::size_t>(count));
    const Number second = start + width;
    const double step = static_cast<double>(second) - static_cast<double>(start);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] = static_cast<double>(start) + static_cast<double>(index) * step;
    return values;
}

}  // namespace

std::vector<double> torchLinspace(float high, std::size_t bins)
{
    return torchLinspace({.low = 0.0F, .high = high}, bins);
}

std::vector<double> torchLinspace(const SingleRange& range, std::size_t bins)
{
    std::vector<double> edges(bins + 1);
    const float step = (range.high - range.low) / static_cast<float>(bins);
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        const auto [base, offset] = laneOf(edge, edges.size());
        const float start = base < edges.size() / 2
                                ? std::fma(step, static_cast<float>(base), range.low)
                                : std::fma(-step, static_cast<float>(bins - base), range.high);
        edges[edge] = static_cast<double>(std::fma(step, static_cast<float>(offset), start));
    }
    return edges;
}

std::vector<double> torchArange(float end, float width)
{
    const double step = static_cast<double>(width);
    std::vector<double> edges(static_cast<std::size_t>(std::ceil(static_cast<double>(end) / step)));
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        const auto [base, offset] = laneOf(edge, edges.size());
        const float start = static_cast<float>(step * static_cast<double>(base));
        const double exact = static_cast<double>(start) + static_cast<double>(offset) * step;
        edges[edge] = toFloat32(exact);
    }
    return edges;
}

std::size_t torchBin(float value, const SingleRange& range, std::size_t bins)
{
    const float share = (value - range.low) / (range.high - range.low);
    const float place = share * static_cast<float>(bins);
    return std::min(static_cast<std::size_t>(std::max(place, 0.0F)), bins - 1);
}

std::vector<double> numpyLinspace(double low, double high, std::size_t bins)
{
    std::vector<double> edges(bins + 1);
    const double step = (high - low) / static_cast<double>(bins);
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        const double exact = edge == bins ? high : static_cast<double>(edge) * step + low;
        edges[edge] = toFloat32(exact);
    }
    return edges;
}

std::vector<double> numpyArange(float start, float end, float width)
{
    return arange(start, end, width);
}

std::vector<double> numpyArange(double start, double end, double width)
{
    return arange(start, end, width);
}

}  // namespace calibscope
