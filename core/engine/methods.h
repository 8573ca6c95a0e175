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

namespace calibscope::engine {

/// The engine's methods and what it keeps between requests. Used by one thread. With a cache, what
/// was asked before, also by another process, is answered without the values, by the same bytes.
class Methods
{
public:
    Methods(EngineParts parts, std::uint64_t memoryBytes, std::optional<CacheOptions> cache = {});

    /// Runs the method of that name. Throws Error for what the user can mend (Usage: no such method
    /// or setting, Input: what can't be read), Cancelled from the progress.
    [[nodiscard]] protocol::Json call(const std::string& method, const protocol::Json& params,
                                      const Progress& progress);

    [[nodiscard]] protocol::DumpOpened open(const protocol::OpenRequest& request,
                                            const Progress& progress = {});
    /// Of one channel, choices of a scale per channel are run as of a tensor. Histograms of the
    /// view: those asked for and those that the outcomes' calibrators worked on.
    [[nodiscard]] protocol::TensorView view(const protocol::ViewRequest& request,
                                            const Progress& progress);
    [[nodiscard]] protocol::Preview preview(const protocol::PreviewRequest& request,
                                            const Progress& progress);
    /// Throws Error(Usage) for more counts than a reply can hold or a range that is none.
    [[nodiscard]] Strip strip(const protocol::StripRequest& request, const Progress& progress);

    [[nodiscard]] protocol::Compared compare(const protocol::CompareRequest& request,
                                             const Progress& progress);

private:
    /// Of what is asked of these dumps; empty where no answer is to be kept.
    [[nodiscard]] std::string keyOf(const char* method, const protocol::Json& request,
                                    std::initializer_list<protocol::RecordedTensor> dumps,
                                    const Progress& progress);
    /// A view without its profile.
    [[nodiscard]] protocol::TensorView outcomesOf(Subject& subject, std::span<const Choice> choices,
                                                  const protocol::ViewRequest& request,
                                                  const Progress& progress);
    template <typename Request, typename Result>
    [[nodiscard]] protocol::Json answer(const char* method, const protocol::Json& params,
                                        Result (Methods::*compute)(const Request&, const Progress&),
                                        const Progress& progress);

    std::uint64_t m_memoryBytes;
    EngineMemory m_memory;
};

}  // namespace calibscope::engine
