// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/magnitude_sketch.h"

#include "core/kernels/float_ends.h"
#include "core/kernels/kept_patterns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::uint32_t magnitudeMask = 0x7fffffffU;
constexpr std::uint32_t droppedMask = (1U << droppedMantissaBits) - 1U;

constexpr int mantissaBits = 23;
constexpr std::uint32_t rows = 1U << (32 - mantissaBits);  // positive exponents, negative ones
constexpr std::uint32_t notFinite = rows / 2 - 1;          // the last row of each sign
constexpr std::uint32_t cellsOfRow = 1U << (mantissaBits - droppedMantissaBits);
constexpr int droppedSumBits = 40;
constexpr std::uint64_t one = std::uint64_t{1} << droppedSumBits;
constexpr std::uint64_t mostInCell = (std::uint64_t{1} << (64 - droppedSumBits)) - 1;
static_assert(mostInCell * droppedMask < one, "the dropped bits of a full cell fit it");

double magnitudeOf(std::uint32_t pattern)
{
    return static_cast<double>(std::bit_cast<float>(pattern));
}

/// Distance between neighbouring float32 of a key's exponent (subnormals share the least normal
/// exponent).
double spacing(std::uint32_t key)
{
    constexpr std::uint64_t doubleOf1 = 1023U - 127U - 23U;  // exponent field of 2^(-127 - 23)
    const std::uint64_t exponent = key >> (23 - droppedMantissaBits);
    return std::bit_cast<double>((std::max<std::uint64_t>(exponent, 1) + doubleOf1) << 52U);
}

std::vector<SketchBin> merged(const std::vector<SketchBin>& a, const std::vector<SketchBin>& b)
{
    std::vector<SketchBin> all;
    all.reserve(a.size() + b.size());
    std::ranges::merge(a, b, std::back_inserter(all), {}, &SketchBin::key, &SketchBin::key);
    std::vector<SketchBin> bins;
    for (const SketchBin& bin : all) {
        if (!bins.empty() && bins.back().key == bin.key) {
            bins.back().count += bin.count;
            bins.back().dropped += bin.dropped;
        } else {
            bins.push_back(bin);
        }
    }
    return bins;
}

void addMagnitude(std::vector<SketchBin>& bins, std::uint32_t magnitude)
{
    const std::uint32_t key = magnitude >> droppedMantissaBits;
    if (bins.empty() || bins.back().key != key)
        bins.push_back({.key = key});
    ++bins.back().count;
    bins.back().dropped += magnitude & droppedMask;
}

MagnitudeSketch sketchBySorting(std::span<const float> values)
{
    std::vector<std::uint32_t> patterns;
    patterns.reserve(values.size());
    for (const float value : values)
        if (std::isfinite(value))
            patterns.push_back(std::bit_cast<std::uint32_t>(value));
    std::ranges::sort(patterns);  // magnitudes ascend within each sign
    MagnitudeSketch sketch;
    for (const std::uint32_t pattern : patterns) {
        const std::uint32_t magnitude = pattern & magnitudeMask;
        if (magnitude == 0)
            ++sketch.zeros;
        else
            addMagnitude(pattern == magnitude ? sketch.positive : sketch.negative, magnitude);
    }
    return sketch;
}

}  // namespace

double SketchBin::lowEdge() const
{
    return magnitudeOf(key << droppedMantissaBits);
}

double SketchBin::highEdge() const
{
    return lowEdge() + spacing(key) * (droppedMask + 1U);
}

double SketchBin::sum() const
{
    return lowEdge() * static_cast<double>(count) + spacing(key) * static_cast<double>(dropped);
}

SketchSpread SketchBin::spread(double end) const
{
    const double unit = spacing(key);
    const double least = (end - lowEdge()) / unit;  // whole: both are float32 of one exponent
    std::uint64_t top =
        least < droppedMask ? static_cast<std::uint64_t>(std::max(least, 0.0)) : droppedMask;
    top = std::max(top, (dropped + count - 1) / count);  // an end of other values
    if (dropped == 0)
        return {.high = lowEdge(), .scatter = 0.0};
    const double mean = static_cast<double>(dropped) / static_cast<double>(count);
    const std::uint64_t atTop = dropped / top;
    const std::uint64_t rest = dropped % top;
    const auto square = [](double x) { return x * x; };
    double scatter = static_cast<double>(atTop) * square(static_cast<double>(top) - mean);
    if (atTop < count)
        scatter += square(static_cast<double>(rest) - mean) +
                   static_cast<double>(count - atTop - 1) * square(mean);
    constexpr double rounding = 1.0 + 0x1p-40;
    return {.high = lowEdge() + unit * static_cast<double>(top),
            .scatter = rounding * square(unit) * scatter};
}

std::uint64_t MagnitudeSketch::count() const
{
    std::uint64_t total = zeros;
    for (const SketchBin& bin : negative)
        total += bin.count;
    for (const SketchBin& bin : positive)
        total += bin.count;
    return total;
}

std::vector<SketchBin> MagnitudeSketch::magnitudes() const
{
    return merged(negative, positive);
}

std::optional<SketchPlace> MagnitudeSketch::placeOfMagnitude(std::uint64_t rank) const
{
    if (rank < zeros)
        return std::nullopt;
    std::uint64_t before = zeros;
    for (const SketchBin& bin : magnitudes()) {
        if (rank < before + bin.count)
            return SketchPlace{.key = bin.key, .rankInBin = rank - before};
        before += bin.count;
    }
    return std::nullopt;
}

double MagnitudeSketch::magnitudeAt(std::uint64_t rank) const
{
    const std::optional<SketchPlace> place = placeOfMagnitude(rank);
    return place ? SketchBin{.key = place->key,
                             .count = 1,
                             .dropped = 1U << (droppedMantissaBits - 1)}
                       .sum()
                 : 0.0;
}

MagnitudeSketch& MagnitudeSketch::operator+=(const MagnitudeSketch& other)
{
    zeros += other.zeros;
    negative = merged(negative, other.negative);
    positive = merged(positive, other.positive);
    return *this;
}

void SketchCounter::add(std::span<const float> values)
{
    constexpr std::size_t mostKept = 1024;
    if (m_rows.empty() && m_kept.size() + values.size() <= mostKept) {
        m_kept.insert(m_kept.end(), values.begin(), values.end());
        return;
    }
    if (m_rows.empty()) {
        m_rows.resize(rows);
        count(m_kept);
        m_kept = {};
    }
    count(values);
}

void SketchCounter::count(std::span<const float> values)
{
    constexpr std::size_t piece = 1024;
    constexpr std::size_t shareOfZeros = 4;  // one in so many: they would wait for each other
    constexpr std::uint32_t negativeZero = ~magnitudeMask;
    std::array<std::uint32_t, piece + kernels::vectorRoom> patterns;
    std::array<std::uint64_t*, rows> cells;
    const auto locate = [&] {
        for (std::uint32_t row = 0; row < rows; ++row)
            cells[row] = m_rows[row].empty() ? nullptr : m_rows[row].data();
    };
    const auto add = [&](std::uint32_t pattern) {
        const std::uint32_t row = pattern >> mantissaBits;
        if (cells[row] == nullptr) [[unlikely]] {
            m_rows[row].resize(cellsOfRow);
            cells[row] = m_rows[row].data();
        }
        cells[row][(pattern >> droppedMantissaBits) % cellsOfRow] += one + (pattern & droppedMask);
    };
    locate();
    for (std::size_t first = 0; first < values.size(); first += piece) {
        if (m_inRows + piece > mostInCell) {
            m_beforeRows += sketchOfRows();
            std::ranges::fill(m_rows, Row());
            m_inRows = 0;
            locate();
        }
        const std::span part = values.subspan(first, std::min(piece, values.size() - first));
        m_inRows += part.size();
        const std::uint64_t zeros = kernels::countEqual(part, 0.0F);
        m_beforeRows.zeros += zeros;
        if (zeros > part.size() / shareOfZeros) {
            const std::size_t others = kernels::keepNonZero(part, patterns).kept;
            std::ranges::for_each(std::span(patterns).first(others), add);
            continue;
        }
        for (const float value : part)
            add(std::bit_cast<std::uint32_t>(value));
        if (zeros == 0)
            continue;
        const auto negative = static_cast<std::uint64_t>(std::ranges::count(
            part, negativeZero, [](float value) { return std::bit_cast<std::uint32_t>(value); }));
        if (negative > 0)
            cells[rows / 2][0] -= negative * one;
        if (zeros > negative)
            cells[0][0] -= (zeros - negative) * one;
    }
}

MagnitudeSketch SketchCounter::sketchOfRows() const
{
    MagnitudeSketch sketch;
    for (std::uint32_t row = 0; row < m_rows.size(); ++row) {
        if (row % (rows / 2) == notFinite)
            continue;
        for (std::uint32_t cell = 0; cell < m_rows[row].size(); ++cell)
            if (const std::uint64_t counted = m_rows[row][cell]; counted > 0)
                (row < rows / 2 ? sketch.positive : sketch.negative)
                    .push_back({.key = row % (rows / 2) * cellsOfRow + cell,
                                .count = counted >> droppedSumBits,
                                .dropped = counted % one});
    }
    return sketch;
}

MagnitudeSketch SketchCounter::sketch() const
{
    if (m_rows.empty())
        return sketchBySorting(m_kept);
    MagnitudeSketch sketch = sketchOfRows();
    sketch += m_beforeRows;
    return sketch;
}

}  // namespace calibscope
