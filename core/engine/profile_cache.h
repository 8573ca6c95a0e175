#pragma once

#include "core/stats/profile.h"
#include "core/tensor/layout_override.h"
#include "core/tensor/tensor_part.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

namespace calibscope::engine {

/// Which tensor of which state of which file, how it is understood, and which part of it.
struct ProfileKey
{
    std::string path;
    std::uint64_t bytes = 0;
    std::string modified;
    bool allowExternal = false;
    std::uint64_t tensor = 0;
    LayoutOverride layoutOverride;
    TensorPart part = {};

    bool operator==(const ProfileKey&) const = default;
};

/// Bytes that a profile takes in memory, to within its short texts.
[[nodiscard]] std::uint64_t memoryOf(const TensorProfile& profile);

/// Profiles of tensors that were looked at, the latest used ones as far as the budget goes.
class ProfileCache
{
public:
    explicit ProfileCache(std::uint64_t budgetBytes) : m_budgetBytes(budgetBytes) {}

    /// Takes a profile out, to be worked on; nothing if it is not held.
    [[nodiscard]] std::optional<TensorProfile> take(const ProfileKey& key);
    /// Puts a profile in, and drops those that were not used for longest until all fit the budget.
    void put(const ProfileKey& key, TensorProfile profile);
    [[nodiscard]] std::uint64_t usedBytes() const { return m_usedBytes; }
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

private:
    struct Entry
    {
        ProfileKey key;
        TensorProfile profile;
        std::uint64_t bytes = 0;
    };
    std::uint64_t m_budgetBytes;
    std::uint64_t m_usedBytes = 0;
    std::list<Entry> m_entries;  ///< the latest used first
};

}  // namespace calibscope::engine
