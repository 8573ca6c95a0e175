// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/unshuffle.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/unshuffle.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<std::uint8_t>;

/// Puts the planes' first elements together as far as whole vectors go; returns how many.
std::size_t vectorPairs(const std::uint8_t* planes, std::size_t elements, std::uint8_t* room)
{
    const Bytes bytes;
    const std::size_t step = hn::Lanes(bytes);
    std::size_t element = 0;
    for (; element + step <= elements; element += step)
        hn::StoreInterleaved2(hn::LoadU(bytes, planes + element),
                              hn::LoadU(bytes, planes + elements + element), bytes,
                              room + 2 * element);
    return element;
}

std::size_t vectorQuads(const std::uint8_t* planes, std::size_t elements, std::uint8_t* room)
{
    const Bytes bytes;
    const std::size_t step = hn::Lanes(bytes);
    std::size_t element = 0;
    for (; element + step <= elements; element += step) {
        const std::uint8_t* plane = planes + element;
        hn::StoreInterleaved4(hn::LoadU(bytes, plane), hn::LoadU(bytes, plane + elements),
                              hn::LoadU(bytes, plane + 2 * elements),
                              hn::LoadU(bytes, plane + 3 * elements), bytes, room + 4 * element);
    }
    return element;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {

HWY_EXPORT(vectorPairs);
HWY_EXPORT(vectorQuads);

void putTogether(std::span<const std::byte> planes, std::size_t elementBytes, std::size_t from,
                 std::span<std::byte> room)
{
    const std::size_t elements = planes.size() / elementBytes;
    for (std::size_t byte = 0; byte < elementBytes; ++byte)
        for (std::size_t element = from; element < elements; ++element)
            room[element * elementBytes + byte] = planes[byte * elements + element];
    for (std::size_t rest = elements * elementBytes; rest < planes.size(); ++rest)
        room[rest] = planes[rest];
}

}  // namespace

void unshuffle(std::span<const std::byte> planes, std::size_t elementBytes,
               std::span<std::byte> room)
{
    const std::size_t elements = planes.size() / elementBytes;
    const auto* from = reinterpret_cast<const std::uint8_t*>(planes.data());
    auto* to = reinterpret_cast<std::uint8_t*>(room.data());
    std::size_t done = 0;
    if (elementBytes == 2)
        done = HWY_DYNAMIC_DISPATCH(vectorPairs)(from, elements, to);
    else if (elementBytes == 4)
        done = HWY_DYNAMIC_DISPATCH(vectorQuads)(from, elements, to);
    putTogether(planes, elementBytes, done, room);
}

void unshufflePlain(std::span<const std::byte> planes, std::size_t elementBytes,
                    std::span<std::byte> room)
{
    putTogether(planes, elementBytes, 0, room);
}

}  // namespace calibscope::kernels
#endif
