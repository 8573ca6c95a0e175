#include "core/engine/subject.h"

#include "core/base/error.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/protocol/codec.h"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

namespace calibscope::engine {

namespace {

/// All batches, by their number or not, are the same part.
TensorPart partOf(TensorPart part, const TensorInfo& tensor)
{
    if (part.batches && *part.batches >= tensor.batchCount())
        part.batches.reset();
    return part;
}

/// Of a profile: a measure of how much there is in it, at least 1.
std::size_t partsOf(const TensorProfile& profile)
{
    return 1 + profile.histograms.size() + profile.orders.size();
}

}  // namespace

EngineMemory::EngineMemory(EngineParts ownParts, std::uint64_t profileBytes,
                           std::optional<CacheOptions> resultCache)
    : parts(std::move(ownParts)),
      dumps(parts),
      profiles(profileBytes),
      results(std::move(resultCache))
{}

std::string EngineMemory::stateOf(const OpenDump& dump, const std::string& path) const
{
    const bool mayKeep = results.isOn() && parts.state && !dump.state.empty();
    return mayKeep && parts.state(path) == dump.state ? dump.state : std::string();
}

Subject::Subject(EngineMemory& memory, const protocol::RecordedTensor& tensor,
                 const TensorPart& part, const Progress& progress)
    : m_memory(memory), m_dump(memory.dumps.open(tensor.path, tensor.allowExternal, progress))
{
    if (tensor.tensor >= m_dump->tensors.size())
        throw Error(Fault::Input, tensor.path + ": there is no tensor " +
                                      std::to_string(tensor.tensor) + ", it has " +
                                      std::to_string(m_dump->tensors.size()) +
                                      "; the file may have changed, open it again");
    const TensorInfo understood =
        understoodAs(m_dump->tensors[tensor.tensor], tensor.layoutOverride);
    m_key = {.path = tensor.path,
             .bytes = m_dump->identity.bytes,
             .modified = m_dump->identity.modified,
             .allowExternal = tensor.allowExternal,
             .tensor = tensor.tensor,
             .layoutOverride = tensor.layoutOverride,
             .part = partOf(part, understood)};
    source = m_dump->source(understood, m_key.part.batches.value_or(0));
    if (m_key.part.channel)
        source = sourceOfChannel(source, *m_key.part.channel);
    findProfile(progress);
}

Subject::~Subject()
{
    try {
        keepProfile();
    } catch (const std::exception&) {
        // It is computed again then.
    }
    m_memory.profiles.put(m_key, std::move(profile));
}

std::string Subject::resultKey() const
{
    const std::string state = m_memory.stateOf(*m_dump, m_key.path);
    const protocol::ViewRequest request{.path = {},  // the state has it
                                        .tensor = m_key.tensor,
                                        .layoutOverride = m_key.layoutOverride,
                                        .part = m_key.part};
    return m_memory.results.key("profile", protocol::encode(request), std::span(&state, 1));
}

void Subject::findProfile(const Progress& progress)
{
    m_resultKey = resultKey();
    if (std::optional<TensorProfile> known = m_memory.profiles.take(m_key)) {
        profile = std::move(*known);
        m_keptParts = partsOf(profile);
    } else if (std::optional<TensorProfile> kept =
                   m_memory.results.profile(m_resultKey, source.info)) {
        profile = std::move(*kept);
        m_keptParts = partsOf(profile);
    } else {
        profile = collectProfile(source, progress);
    }
}

/// Not if the file was changed while it was read.
void Subject::keepProfile()
{
    if (!m_resultKey.empty() && partsOf(profile) > m_keptParts && resultKey() == m_resultKey)
        m_memory.results.keep(m_resultKey, profile);
}

std::function<ValueSource(const std::string& path)> Subject::otherTensors() const
{
    return [dump = m_dump](const std::string& path) {
        const auto found = std::ranges::find(dump->tensors, path, &TensorInfo::path);
        if (found == dump->tensors.end())
            throw Error(Fault::Input, dump->identity.path + ": there is no tensor " + path);
        return dump->source(*found, 0);
    };
}

}  // namespace calibscope::engine
