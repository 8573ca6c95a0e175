// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/sample_extremes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace calibscope {

namespace {

/// The largest magnitude of finite values; below 0 where there are none.
float largestIn(std::span<const float> values)
{
    float largest = -1.0F;
    for (const float value : values) {
        const float magnitude = std::abs(value);
        largest = magnitude > largest && magnitude <= std::numeric_limits<float>::max() ? magnitude
                                                                                        : largest;
    }
    return largest;
}

/// The two samples of largest magnitude, as samples come one after the other.
class ExtremeSearch
{
public:
    void add(std::uint64_t sample, std::uint64_t firstIndex, std::span<const float> values)
    {
        const float largest = largestIn(values);
        if (largest < 0.0F)
            return;
        const bool isSame = m_found && m_found->sample == sample;
        const auto magnitude = static_cast<double>(largest);
        if (m_found && magnitude <= std::abs(m_found->value)) {
            if (!isSame)
                m_found->others = std::max(m_found->others.value_or(0.0), magnitude);
            return;
        }
        const auto largestOne =
            std::ranges::find(values, largest, [](float v) { return std::abs(v); });
        SampleExtreme next{.sample = sample,
                           .index =
                               firstIndex + static_cast<std::uint64_t>(largestOne - values.begin()),
                           .value = static_cast<double>(*largestOne),
                           .others = std::nullopt};
        if (m_found)
            next.others = isSame ? m_found->others : std::abs(m_found->value);
        m_found = next;
    }

    [[nodiscard]] const std::optional<SampleExtreme>& found() const { return m_found; }

private:
    std::optional<SampleExtreme> m_found;
};

}  // namespace

std::uint64_t recordedSample(const TensorInfo& tensor, std::uint64_t firstSample,
                             std::uint64_t sample)
{
    return sample < tensor.samples.size() ? tensor.samples[sample] : firstSample + sample;
}

std::optional<SampleExtreme> sampleExtreme(const ValueSource& source, const Progress& progress)
{
    const std::uint64_t perSample = std::max<std::uint64_t>(source.info.valuesPerSample(), 1);
    ExtremeSearch search;
    source.visit(
        [&](const Block& block) {
            std::span<const float> left = block.values;
            for (std::uint64_t index = block.firstIndex; !left.empty();) {
                const std::uint64_t sample = index / perSample;
                const auto count = static_cast<std::size_t>(
                    std::min<std::uint64_t>(left.size(), (sample + 1) * perSample - index));
                search.add(sample, index, left.first(count));
                left = left.subspan(count);
                index += count;
            }
        },
        progress);
    return search.found();
}

}  // namespace calibscope
