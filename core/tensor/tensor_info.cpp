// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/tensor_info.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>

namespace calibscope {

namespace {

std::uint64_t product(auto first, auto last)
{
    return std::accumulate(first, last, std::uint64_t{1}, std::multiplies{});
}

}  // namespace

std::string_view roleText(Role role)
{
    switch (role) {
    case Role::Activation: return "activation";
    case Role::Weight: return "weight";
    case Role::Bias: return "bias";
    case Role::Unknown: return "unknown";
    }
    return "unknown";
}

std::optional<Role> parseRole(std::string_view text)
{
    for (const Role role : {Role::Activation, Role::Weight, Role::Bias, Role::Unknown})
        if (roleText(role) == text)
            return role;
    return std::nullopt;
}

bool TensorInfo::holdsIntegers() const
{
    return elementType && ElementType{.kind = *elementType}.isInteger();
}

std::uint64_t TensorInfo::valueCount() const
{
    return product(shape.begin(), shape.end());
}

std::uint64_t TensorInfo::channelCount() const
{
    return channelAxis ? shape.at(static_cast<std::size_t>(*channelAxis)) : 0;
}

std::uint64_t TensorInfo::sampleCount() const
{
    return batchAxis && !shape.empty() ? shape.at(static_cast<std::size_t>(*batchAxis)) : 1;
}

std::uint64_t TensorInfo::batchCount() const
{
    const std::uint64_t count = sampleCount();
    if (!batchAxis || batchSize == 0 || count == 0)
        return 1;
    return count / batchSize + (count % batchSize == 0 ? 0 : 1);  // the size may be any number
}

std::uint64_t TensorInfo::valuesPerSample() const
{
    const std::uint64_t count = sampleCount();
    return count == 0 ? 0 : valueCount() / count;
}

std::uint64_t TensorInfo::channelStride() const
{
    return channelAxis ? product(shape.begin() + *channelAxis + 1, shape.end()) : 1;
}

std::uint64_t TensorInfo::channelOf(std::uint64_t flatIndex) const
{
    assert(channelAxis);
    return flatIndex / channelStride() % channelCount();
}

std::uint64_t TensorInfo::flatIndexOf(std::uint64_t channel, std::uint64_t index) const
{
    assert(channelAxis);
    const std::uint64_t stride = channelStride();
    return (index / stride * channelCount() + channel) * stride + index % stride;
}

std::uint64_t TensorInfo::indexInChannel(std::uint64_t channel, std::uint64_t flatIndex) const
{
    assert(channelAxis);
    const std::uint64_t stride = channelStride();
    const std::uint64_t period = stride * channelCount();
    const std::uint64_t start = channel * stride;  // of the channel's run in a period
    const std::uint64_t inPeriod = std::clamp(flatIndex % period, start, start + stride);
    return flatIndex / period * stride + inPeriod - start;
}

std::string elementText(const TensorInfo& tensor)
{
    return tensor.elementType ? std::string(elementText(*tensor.elementType)) : tensor.storedType;
}

std::string storedTypeText(const TensorInfo& tensor)
{
    return tensor.storedType.empty() ? elementText(tensor) : tensor.storedType;
}

std::string typeText(const TensorInfo& tensor)
{
    const std::string read = elementText(tensor);
    const std::string stored = storedTypeText(tensor);
    return stored == read ? read : stored + " as " + read;
}

std::string maskText(const TensorInfo& tensor)
{
    if (!tensor.mask || tensor.mask->of == 0)
        return {};
    const auto& [path, counted, of, digest] = *tensor.mask;
    if (counted == 0)
        return "no position counts (mask " + path + ")";
    const double share = 100.0 * static_cast<double>(counted) / static_cast<double>(of);
    // What is not all is not rounded to it.
    const std::string text =
        counted == of ? "100" : fmt::format("{:.1f}", std::clamp(share, 0.1, 99.9));
    return text + " % of positions count (mask " + path + ")";
}

std::string shapeText(const std::vector<std::uint64_t>& shape)
{
    if (shape.empty())
        return "scalar";
    std::string text;
    for (const std::uint64_t length : shape)
        text += (text.empty() ? "" : " x ") + numberText(length);
    return text;
}

std::string indexText(const std::vector<std::uint64_t>& shape, std::uint64_t flatIndex)
{
    std::string text;
    for (auto length = shape.rbegin(); length != shape.rend() && *length > 0; ++length) {
        text.insert(0, numberText(flatIndex % *length) + (text.empty() ? "" : ", "));
        flatIndex /= *length;
    }
    return "[" + text + "]";
}

}  // namespace calibscope
