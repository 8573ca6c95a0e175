#pragma once

#include "core/base/progress.h"
#include "core/engine/engine_parts.h"
#include "core/engine/result_cache.h"
#include "core/engine/subject.h"
#include "core/protocol/messages.h"
#include "core/protocol/wire.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace calibscope::serve {

/// The engine's methods and what it keeps between requests. Used by one thread. With a cache, what
/// was asked before, also by another process, is answered without the values, by the same bytes.
class Methods
{
public:
    Methods(EngineParts parts, std::uint64_t memoryBytes, std::optional<CacheOptions> cache = {});

    /// Runs the method of that name. Throws Error for what the user can mend (Usage: no such method
    /// or setting, Input: what can't be read), Cancelled from the progress.
    [[nodiscard]] Json call(const std::string& method, const Json& params,
                            const Progress& progress);

    [[nodiscard]] DumpOpened open(const OpenRequest& request, const Progress& progress = {});
    /// Of one channel, choices of a scale per channel are run as of a tensor. Histograms of the
    /// view: those asked for and those that the outcomes' calibrators worked on.
    [[nodiscard]] TensorView view(const ViewRequest& request, const Progress& progress);
    [[nodiscard]] Glance glance(const GlanceRequest& request, const Progress& progress);
    /// Throws Error(Usage) for more counts than a reply can hold or a range that is none.
    [[nodiscard]] Strip strip(const StripRequest& request, const Progress& progress);

    [[nodiscard]] Compared compare(const CompareRequest& request, const Progress& progress);

private:
    /// Of what is asked of these dumps; empty where no answer is to be kept.
    [[nodiscard]] std::string keyOf(const char* method, const Json& request,
                                    std::initializer_list<RecordedTensor> dumps,
                                    const Progress& progress);
    /// A view without its profile.
    [[nodiscard]] TensorView outcomesOf(Subject& subject, std::span<const Choice> choices,
                                        const ViewRequest& request, const Progress& progress);
    template <typename Request, typename Result>
    [[nodiscard]] Json answer(const char* method, const Json& params,
                              Result (Methods::*compute)(const Request&, const Progress&),
                              const Progress& progress);

    std::uint64_t m_memoryBytes;
    EngineMemory m_memory;
};

}  // namespace calibscope::serve
