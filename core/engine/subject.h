// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/engine/engine_parts.h"
#include "core/engine/result_cache.h"
#include "core/stats/profile.h"
#include "core/tensor/tensor_ref.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::engine {

/// Open dumps by path and by whether they may reach into other files.
class DumpCache
{
public:
    explicit DumpCache(const EngineParts& parts) : m_parts(parts) {}

    /// The dump as it is now: one that has changed since (by its FileIdentity) is opened anew.
    /// Throws Error(Input) where the file can't be opened, Cancelled from the progress.
    [[nodiscard]] std::shared_ptr<const OpenDump> open(const std::string& path, bool allowExternal,
                                                       const Progress& progress);
    /// The dump that open() gave last: of one that has changed since, whose list of tensors the
    /// asker does not have, throws Error(Input), unless it was appended to (isAppendedTo). Opens it
    /// where nobody did.
    [[nodiscard]] std::shared_ptr<const OpenDump>
    asOpened(const std::string& path, bool allowExternal, const Progress& progress);

private:
    using Key = std::pair<std::string, bool>;
    struct Entry
    {
        std::string path;
        bool allowExternal = false;
        std::shared_ptr<const OpenDump> dump;
    };
    struct Told
    {
        FileIdentity identity;
        std::vector<std::string> dataFiles;
    };
    const EngineParts& m_parts;
    std::list<Entry> m_entries;  ///< the latest used first
    std::map<Key, Told> m_told;  ///< of all dumps that were ever opened
};

/// A tensor of a state of its file.
struct ProfileKey
{
    TensorRef tensor;
    std::uint64_t bytes = 0;
    std::string modified;
    std::string stamp = {};

    bool operator==(const ProfileKey&) const = default;
};

/// Bytes that a profile takes in memory, to within its short texts.
[[nodiscard]] std::uint64_t memoryOf(const TensorProfile& profile);

/// Profiles of tensors that were looked at, the latest used ones as far as the budget goes.
class ProfileCache
{
public:
    explicit ProfileCache(std::uint64_t budgetBytes) : m_budgetBytes(budgetBytes) {}

    /// Takes a profile out, to be worked on; nothing if it is not cached.
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

/// State that the engine keeps between requests.
struct EngineMemory
{
    EngineMemory(EngineParts ownParts, std::uint64_t profileBytes,
                 std::optional<CacheOptions> resultCache);
    EngineMemory(const EngineMemory&) = delete;
    EngineMemory& operator=(const EngineMemory&) = delete;

    /// The dump's state for keys of `results`; empty where nothing is to be cached, and where the
    /// file is no longer what was opened.
    [[nodiscard]] std::string stateOf(const OpenDump& dump, const std::string& path) const;
    [[nodiscard]] AskProgram ask(const Progress& progress) const
    {
        return parts.programs ? parts.programs(progress) : AskProgram();
    }

    EngineParts parts;
    DumpCache dumps;  // refers to the parts
    ProfileCache profiles;
    ResultCache results;
};

/// A tensor, or a part of it, that is worked on: its source, and its profile for as long as this
/// lives.
class Subject
{
public:
    /// Throws Error(Input) for a tensor that is not there or can't be read, Error(Usage) for a
    /// layout override that it does not admit, Cancelled from the progress.
    Subject(EngineMemory& memory, const TensorRef& tensor, const Progress& progress);
    /// Also where the work was cancelled: a profile only ever gains whole parts.
    ~Subject();
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    /// Another tensor of the dump, as the file says it is to be understood.
    [[nodiscard]] std::function<ValueSource(const std::string& path)> otherTensors() const;

    ValueSource source;
    TensorProfile profile;
    std::uint64_t allChannels = 0;  ///< of the tensor, also where `source` is one of them

private:
    [[nodiscard]] std::string resultKey() const;
    void findProfile(const Progress& progress);
    void keepProfile();

    EngineMemory& m_memory;
    std::shared_ptr<const OpenDump> m_dump;
    ProfileKey m_key;
    std::string m_resultKey;
    std::size_t m_keptParts = 0;  ///< histograms and orders that `results` has; 0: no profile yet
};

}  // namespace calibscope::engine
