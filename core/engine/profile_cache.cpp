#include "core/engine/profile_cache.h"

#include <algorithm>
#include <utility>

namespace calibscope::engine {

std::uint64_t memoryOf(const TensorProfile& profile)
{
    std::uint64_t bytes = sizeof(TensorProfile);
    bytes += (profile.sketch.negative.size() + profile.sketch.positive.size()) * sizeof(SketchBin);
    bytes += (profile.batches.size() + profile.channels.size()) * sizeof(Extents);
    bytes += profile.orders.size() * sizeof(OrderStatistic);
    for (const Histogram& histogram : profile.histograms)
        bytes += sizeof(Histogram) + histogram.counts.size() * sizeof(std::uint64_t);
    return bytes;
}

std::optional<TensorProfile> ProfileCache::take(const ProfileKey& key)
{
    const auto found = std::ranges::find(m_entries, key, &Entry::key);
    if (found == m_entries.end())
        return std::nullopt;
    TensorProfile profile = std::move(found->profile);
    m_usedBytes -= found->bytes;
    m_entries.erase(found);
    return profile;
}

void ProfileCache::put(const ProfileKey& key, TensorProfile profile)
{
    (void)take(key);
    const std::uint64_t bytes = memoryOf(profile);
    m_entries.push_front({.key = key, .profile = std::move(profile), .bytes = bytes});
    m_usedBytes += bytes;
    while (m_usedBytes > m_budgetBytes) {
        m_usedBytes -= m_entries.back().bytes;
        m_entries.pop_back();
    }
}

}  // namespace calibscope::engine
