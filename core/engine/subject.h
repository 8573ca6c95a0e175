#pragma once

#include "core/base/progress.h"
#include "core/engine/dump_cache.h"
#include "core/engine/engine_parts.h"
#include "core/engine/profile_cache.h"
#include "core/engine/result_cache.h"
#include "core/protocol/messages.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace calibscope::engine {

/// What the engine keeps between requests.
struct EngineMemory
{
    EngineMemory(EngineParts ownParts, std::uint64_t profileBytes,
                 std::optional<CacheOptions> resultCache);
    EngineMemory(const EngineMemory&) = delete;
    EngineMemory& operator=(const EngineMemory&) = delete;

    /// The dump's state for keys of `results`; empty where nothing is to be kept, and where the
    /// file is no longer what was opened.
    [[nodiscard]] std::string stateOf(const OpenDump& dump, const std::string& path) const;

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
    /// Throws Error(Input) for a tensor that is not there or can't be read, Error(Usage) for an
    /// layout override that it does not admit, Cancelled from the progress.
    Subject(EngineMemory& memory, const protocol::RecordedTensor& tensor, const TensorPart& part,
            const Progress& progress);
    /// Also where the work was cancelled: a profile only ever gains whole parts.
    ~Subject();
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    /// Another tensor of the dump, as the file says it is to be understood.
    [[nodiscard]] std::function<ValueSource(const std::string& path)> otherTensors() const;

    ValueSource source;
    TensorProfile profile;

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
