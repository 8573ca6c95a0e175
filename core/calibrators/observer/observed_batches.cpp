// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/observer/observed_batches.h"

#include <algorithm>
#include <optional>

namespace calibscope {

std::vector<Extents> batchExtents(const TensorProfile& profile, const CalibratorValues& values)
{
    if (!profile.batches.empty())
        return profile.batches;
    std::vector<Extents> batches(1);
    values.source.visit(
        [&batches](const Block& block) {
            batches.resize(std::max<std::size_t>(batches.size(), block.batch + 1));
            batches[block.batch].add(block.values);
        },
        values.progress);
    return batches;
}

void observeBatches(const TensorProfile& profile, const CalibratorValues& values,
                    const BatchObserver& observer)
{
    const std::vector<Extents> batches = batchExtents(profile, values);
    std::optional<std::uint64_t> current;
    values.source.visit(
        [&](const Block& block) {
            if (block.batch != current) {
                if (current)
                    observer.end();
                current.reset();
                const Extents& batch = batches.at(block.batch);
                if (batch.finite == 0)
                    return;
                current = block.batch;
                observer.begin(batch);
            }
            observer.add(block.values);
        },
        values.progress);
    if (current)
        observer.end();
}

}  // namespace calibscope
