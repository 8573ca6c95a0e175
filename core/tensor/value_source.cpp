// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/value_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace calibscope {

ValueSource sourceOf(TensorInfo info, std::span<const float> values)
{
    if (values.size() != info.valueCount())
        throw std::invalid_argument("a source in memory needs as many values as its shape tells");
    const std::uint64_t samples = info.batchSize == 0 ? info.sampleCount() : info.batchSize;
    const std::uint64_t batchValues = samples * info.valuesPerSample();
    const auto visit = [values, batchValues](const BlockVisitor& visitor,
                                             const Progress& progress) {
        for (std::uint64_t first = 0, batch = 0; first < values.size();
             first += batchValues, ++batch) {
            const std::uint64_t count = std::min<std::uint64_t>(batchValues, values.size() - first);
            visitor({.values = values.subspan(first, count), .firstIndex = first, .batch = batch});
            progress.step(first + count, values.size(), "values");
        }
    };
    return {.info = std::move(info), .visit = visit, .isInMemory = true};
}

std::vector<float> readAll(const ValueSource& source, const Progress& progress)
{
    std::vector<float> values;
    if (source.info.isReadable())  // else its shape may be a lie
        values.reserve(source.info.valueCount());
    source.visit(
        [&values](const Block& block) {
            values.insert(values.end(), block.values.begin(), block.values.end());
        },
        progress);
    return values;
}

}  // namespace calibscope
