// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/subject.h"

#include "core/base/error.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/dump/file_check.h"
#include "core/protocol/codec.h"
#include "core/protocol/messages.h"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

namespace calibscope::engine {

namespace {

constexpr std::size_t mostOpenDumps = 8;

bool isSameState(const FileIdentity& one, const FileIdentity& other)
{
    return one.bytes == other.bytes && one.modified == other.modified && one.stamp == other.stamp;
}

/// Whether it is the same file or folder, no smaller than before.
bool isGrown(const FileIdentity& before, const FileIdentity& now)
{
    return isSameFile(before.stamp, now.stamp) && now.bytes >= before.bytes;
}

}  // namespace

std::shared_ptr<const OpenDump> DumpCache::open(const std::string& path, bool allowExternal,
                                                const Progress& progress)
{
    const auto found = std::ranges::find_if(m_entries, [&](const Entry& entry) {
        return entry.path == path && entry.allowExternal == allowExternal;
    });
    if (found != m_entries.end()) {
        if (isSameState(found->dump->identity, m_parts.identify(path, found->dump->dataFiles))) {
            m_entries.splice(m_entries.begin(), m_entries, found);
            return m_entries.front().dump;
        }
        m_entries.erase(found);
    }
    m_entries.push_front({.path = path,
                          .allowExternal = allowExternal,
                          .dump = m_parts.open(path, allowExternal, progress)});
    if (m_entries.size() > mostOpenDumps)
        m_entries.pop_back();
    const OpenDump& opened = *m_entries.front().dump;
    m_told[{path, allowExternal}] = {.identity = opened.identity, .dataFiles = opened.dataFiles};
    return m_entries.front().dump;
}

std::shared_ptr<const OpenDump> DumpCache::asOpened(const std::string& path, bool allowExternal,
                                                    const Progress& progress)
{
    const auto listed = m_told.find({path, allowExternal});
    if (listed == m_told.end())
        return open(path, allowExternal, progress);
    const FileIdentity now = m_parts.identify(path, listed->second.dataFiles);
    if (isSameState(listed->second.identity, now))
        return open(path, allowExternal, progress);
    const auto known = std::ranges::find_if(m_entries, [&](const Entry& entry) {
        return entry.path == path && entry.allowExternal == allowExternal;
    });
    if (known == m_entries.end() || !known->dump->isAppendedTo ||
        !isGrown(listed->second.identity, now))
        throw Error(Fault::Input, "{}: was changed since it was opened; open it again", path);
    return known->dump;
}

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

Subject::Subject(EngineMemory& memory, const TensorRef& tensor, const Progress& progress)
    : m_memory(memory), m_dump(memory.dumps.asOpened(tensor.file, tensor.allowExternal, progress))
{
    if (tensor.index >= m_dump->tensors.size())
        throw Error(
            Fault::Input,
            "{}: there is no tensor {}, it has {}; the file may have changed, open it again",
            tensor.file, tensor.index, m_dump->tensors.size());
    const TensorInfo understood =
        understoodAs(m_dump->tensors[tensor.index], tensor.layoutOverride);
    m_key = {.tensor = tensor,
             .bytes = m_dump->identity.bytes,
             .modified = m_dump->identity.modified,
             .stamp = m_dump->identity.stamp};
    TensorPart& part = m_key.tensor.part;
    part = partOf(part, understood);
    allChannels = understood.channelCount();
    source = m_dump->source(understood, part.batches.value_or(0));
    if (part.channel)
        source = sourceOfChannel(source, *part.channel);
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
    const std::string state = m_memory.stateOf(*m_dump, m_key.tensor.file);
    protocol::ViewRequest request{.tensor = m_key.tensor};
    request.tensor.file.clear();  // the state has it
    request.tensor.allowExternal = false;
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
            throw Error(Fault::Input, "{}: there is no tensor {}", dump->identity.path, path);
        return dump->source(*found, 0);
    };
}

}  // namespace calibscope::engine
