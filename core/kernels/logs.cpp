// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/logs.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/logs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// x = m 2^e with m from sqrt(1/2) to sqrt(2), s = (m - 1) / (m + 1):
//
//   ln x = e ln 2 + 2 s (1 + s^2 / 3 + s^4 / 5 + ...),  s^2 < 0.0295
//
// so that the term of s^22 is beyond the last place. ln 2 is split as in fdlibm's e_log.c: e times
// the upper part is exact. No fused operations: not every processor has them.
#ifndef CALIBSCOPE_LOGS_PLAIN
#define CALIBSCOPE_LOGS_PLAIN
namespace calibscope::kernels {

constexpr std::int64_t rootOfHalf = 0x3fe6a09e667f3bcd;  // its bits
constexpr int mantissaBits = 52;
constexpr double ln2High = 6.93147180369123816490e-01;
constexpr double ln2Low = 1.90821492927058770002e-10;
/// 1/21, 1/19, ..., 1/3
constexpr std::array<double, 10> seriesTerms{1.0 / 21.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0,
                                             1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0,  1.0 / 7.0,
                                             1.0 / 5.0,  1.0 / 3.0};

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename D>
hn::Vec<D> logOf(D doubles, hn::Vec<D> x)
{
    const hn::RebindToSigned<D> whole;
    const auto bits = hn::BitCast(whole, x);
    const auto exponent = hn::ShiftRight<mantissaBits>(hn::Sub(bits, hn::Set(whole, rootOfHalf)));
    const auto m = hn::BitCast(doubles, hn::Sub(bits, hn::ShiftLeft<mantissaBits>(exponent)));
    const auto one = hn::Set(doubles, 1.0);
    const auto s = hn::Div(hn::Sub(m, one), hn::Add(m, one));
    const auto square = hn::Mul(s, s);
    auto series = hn::Set(doubles, seriesTerms[0]);
    for (std::size_t term = 1; term < seriesTerms.size(); ++term)
        series = hn::Add(hn::Mul(series, square), hn::Set(doubles, seriesTerms[term]));
    const auto e = hn::ConvertTo(doubles, exponent);
    const auto twice = hn::Add(s, s);
    const auto low =
        hn::Add(hn::Mul(hn::Mul(twice, square), series), hn::Mul(e, hn::Set(doubles, ln2Low)));
    return hn::Add(hn::Mul(e, hn::Set(doubles, ln2High)), hn::Add(twice, low));
}

void vectorLogs(const double* values, std::size_t size, double* logs)
{
    const hn::ScalableTag<double> doubles;
    const std::size_t step = hn::Lanes(doubles);
    std::size_t index = 0;
    for (; index + step <= size; index += step)
        hn::StoreU(logOf(doubles, hn::LoadU(doubles, values + index)), doubles, logs + index);
    for (; index < size; ++index)
        logs[index] = logPlain(values[index]);
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorLogs);
}

void logsOf(std::span<const double> values, std::span<double> logs)
{
    HWY_DYNAMIC_DISPATCH(vectorLogs)(values.data(), values.size(), logs.data());
}

double logPlain(double x)
{
    const std::int64_t bits = std::bit_cast<std::int64_t>(x);
    const std::int64_t exponent = (bits - rootOfHalf) >> mantissaBits;
    const double m = std::bit_cast<double>(bits - (exponent << mantissaBits));
    const double s = (m - 1.0) / (m + 1.0);
    const double square = s * s;
    double series = seriesTerms[0];
    for (std::size_t term = 1; term < seriesTerms.size(); ++term)
        series = series * square + seriesTerms[term];
    const double e = static_cast<double>(exponent);
    const double twice = s + s;
    const double low = twice * square * series + e * ln2Low;
    return e * ln2High + (twice + low);
}

}  // namespace calibscope::kernels
#endif
