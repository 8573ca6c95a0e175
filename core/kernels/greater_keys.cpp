// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/greater_keys.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/greater_keys.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_GREATER_KEYS_PLAIN
#define CALIBSCOPE_GREATER_KEYS_PLAIN
namespace calibscope::kernels {

inline float keyOf(float value, Key key)
{
    switch (key) {
    case Key::Magnitude: return std::abs(value);
    case Key::Value: return value;
    case Key::Negated: return -value;
    }
    return value;
}

inline void keepIfGreater(float value, Key key, float bound, float* keys, GreaterKeys& result)
{
    if (!std::isfinite(value))
        return;
    ++result.finite;
    if (keyOf(value, key) > bound)
        keys[result.kept++] = keyOf(value, key);
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

template <Key key>
hn::Vec<Floats> keysOf(hn::Vec<Floats> x)
{
    if constexpr (key == Key::Magnitude)
        return hn::Abs(x);
    else if constexpr (key == Key::Negated)
        return hn::Neg(x);
    else
        return x;
}

template <Key key>
GreaterKeys vectorGreaterOf(const float* values, std::size_t size, float bound, float* keys)
{
    constexpr std::size_t ahead = 1024;  // that far what comes is fetched
    constexpr std::size_t vectors = 4;   // seldom does one of them hold anything
    const Floats floats;
    const std::size_t step = hn::Lanes(floats);
    const auto infinity = hn::Set(floats, std::numeric_limits<float>::infinity());
    const auto least = hn::Set(floats, bound);
    GreaterKeys result;
    const auto isGreater = [&](auto x) {
        return hn::And(hn::Gt(keysOf<key>(x), least), hn::Lt(hn::Abs(x), infinity));
    };
    std::size_t index = 0;
    for (; index + vectors * step <= size; index += vectors * step) {
        const auto x = [&](std::size_t vector) {
            return hn::LoadU(floats, values + index + vector * step);
        };
        for (std::size_t vector = 0; vector < vectors; ++vector)
            hwy::Prefetch(values + index + ahead + vector * step);
        for (std::size_t vector = 0; vector < vectors; ++vector)
            result.finite += hn::CountTrue(floats, hn::Lt(hn::Abs(x(vector)), infinity));
        const auto isAny = hn::Or(hn::Or(isGreater(x(0)), isGreater(x(1))),
                                  hn::Or(isGreater(x(2)), isGreater(x(3))));
        if (hn::AllFalse(floats, isAny))
            continue;
        for (std::size_t vector = 0; vector < vectors; ++vector)
            result.kept += hn::CompressStore(keysOf<key>(x(vector)), isGreater(x(vector)), floats,
                                             keys + result.kept);
    }
    for (; index < size; ++index)
        keepIfGreater(values[index], key, bound, keys, result);
    return result;
}

GreaterKeys vectorGreater(const float* values, std::size_t size, Key key, float bound, float* keys)
{
    switch (key) {
    case Key::Magnitude: return vectorGreaterOf<Key::Magnitude>(values, size, bound, keys);
    case Key::Value: return vectorGreaterOf<Key::Value>(values, size, bound, keys);
    case Key::Negated: return vectorGreaterOf<Key::Negated>(values, size, bound, keys);
    }
    return {};
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorGreater);
}

GreaterKeys keepGreater(std::span<const float> values, Key key, float bound, std::span<float> keys)
{
    return HWY_DYNAMIC_DISPATCH(vectorGreater)(values.data(), values.size(), key, bound,
                                               keys.data());
}

GreaterKeys keepGreaterPlain(std::span<const float> values, Key key, float bound,
                             std::span<float> keys)
{
    GreaterKeys result;
    for (const float value : values)
        keepIfGreater(value, key, bound, keys.data(), result);
    return result;
}

}  // namespace calibscope::kernels
#endif
