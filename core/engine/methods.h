// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/engine/engine_parts.h"
#include "core/engine/result_cache.h"
#include "core/engine/subject.h"
#include "core/protocol/messages.h"
#include "core/protocol/wire.h"

#include <cstdint>
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

    // Each method by what it asks; call() finds it by the name in Method<Request>.

    [[nodiscard]] protocol::DumpOpened answer(const protocol::OpenRequest& request,
                                              const Progress& progress = {});
    /// Of one channel, choices of a scale per channel are run as of a tensor. Histograms of the
    /// view: those asked for and those that the outcomes' calibrators worked on.
    [[nodiscard]] protocol::TensorView answer(const protocol::ViewRequest& request,
                                              const Progress& progress);
    [[nodiscard]] protocol::Preview answer(const protocol::PreviewRequest& request,
                                           const Progress& progress);
    /// Throws Error(Usage) for more counts than a reply can hold or a range that is none.
    [[nodiscard]] Strip answer(const protocol::StripRequest& request, const Progress& progress);
    [[nodiscard]] protocol::Compared answer(const protocol::CompareRequest& request,
                                            const Progress& progress);
    /// Reads the values of the tensors that the file has scales for, as far as they can be read.
    /// Throws Error(Input) where the file can't be understood.
    [[nodiscard]] protocol::ImportedFile answer(const protocol::ImportRequest& request,
                                                const Progress& progress);

    [[nodiscard]] protocol::ModelPorts answer(const protocol::PortsRequest& request,
                                              const Progress& progress);
    [[nodiscard]] protocol::LayerList answer(const protocol::LayersRequest& request,
                                             const Progress& progress);
    [[nodiscard]] LayerResult answer(const protocol::LayerRequest& request,
                                     const Progress& progress);
    [[nodiscard]] LayerCandidates answer(const protocol::LayerTrialsRequest& request,
                                         const Progress& progress);
    [[nodiscard]] OperandTrials answer(const protocol::OperandTrialsRequest& request,
                                       const Progress& progress);
    [[nodiscard]] protocol::Equalizations answer(const protocol::EqualizationsRequest& request,
                                                 const Progress& progress);
    [[nodiscard]] protocol::Studied answer(const protocol::StudyRequest& request,
                                           const Progress& progress);
    [[nodiscard]] Slice answer(const protocol::SliceRequest& request, const Progress& progress);
    [[nodiscard]] FoundValues answer(const protocol::LocateRequest& request,
                                     const Progress& progress);
    [[nodiscard]] SampleExtreme answer(const protocol::ExtremeRequest& request,
                                       const Progress& progress);

    [[nodiscard]] protocol::Rated answer(const protocol::RateRequest& request,
                                         const Progress& progress);
    [[nodiscard]] FormatMap answer(const protocol::FormatMapRequest& request,
                                   const Progress& progress);
    [[nodiscard]] protocol::EncodedBlock answer(const protocol::BlockRequest& request,
                                                const Progress& progress);

    [[nodiscard]] protocol::Hello answer(const protocol::HelloRequest& request,
                                         const Progress& progress) const;
    [[nodiscard]] static protocol::FolderPage answer(const protocol::FolderRequest& request,
                                                     const Progress& progress);
    [[nodiscard]] static protocol::IdentifiedFile answer(const protocol::IdentifyRequest& request,
                                                         const Progress& progress);
    [[nodiscard]] static protocol::DigestedFile answer(const protocol::DigestRequest& request,
                                                       const Progress& progress);

private:
    /// Of what is asked of these tensors; empty where no answer is to be cached.
    template <typename Request>
    [[nodiscard]] std::string keyOf(const Request& request, const Progress& progress);
    /// A view without its profile.
    [[nodiscard]] protocol::TensorView outcomesOf(Subject& subject, std::span<const Choice> choices,
                                                  const protocol::ViewRequest& request,
                                                  const Progress& progress);
    template <typename Request>
    [[nodiscard]] protocol::Json callMethod(const protocol::Json& params, const Progress& progress);

    std::uint64_t m_memoryBytes;
    protocol::Hello m_hello;
    EngineMemory m_memory;
};

}  // namespace calibscope::engine
