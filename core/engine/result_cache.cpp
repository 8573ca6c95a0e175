#include "core/engine/result_cache.h"

#include "core/base/error.h"
#include "core/engine/profile_bytes.h"

#include <utility>

namespace calibscope::engine {

ResultCache::ResultCache(std::optional<CacheOptions> options)
{
    if (!options)
        return;
    options->version += ", profile " + std::to_string(profileFormat);
    m_files.emplace(*std::move(options));
}

std::string ResultCache::key(std::string_view what, const protocol::Json& request,
                             std::span<const std::string> states) const
{
    std::string key(what);
    for (const std::string& state : states) {
        if (state.empty())
            return {};
        key += '\0' + state;
    }
    key += '\0';
    protocol::Json::to_cbor(request, key);  // appends
    return key;
}

std::optional<TensorProfile> ResultCache::profile(const std::string& key,
                                                  const TensorInfo& info) const
{
    if (!m_files || key.empty())
        return std::nullopt;
    const std::optional<std::string> bytes = m_files->find(key);
    std::optional<TensorProfile> profile = bytes ? profileFrom(*bytes) : std::nullopt;
    if (!profile || profile->batches.size() != info.batchCount() ||
        profile->channels.size() != info.channelCount())
        return std::nullopt;
    profile->info = info;
    return profile;
}

std::optional<protocol::Json> ResultCache::answer(const std::string& key) const
{
    if (!m_files || key.empty())
        return std::nullopt;
    try {
        if (const std::optional<std::string> bytes = m_files->find(key))
            return protocol::parseCbor(*bytes);
    } catch (const Error&) {
        // as good as none
    }
    return std::nullopt;
}

void ResultCache::keep(const std::string& key, const TensorProfile& profile)
{
    if (m_files && !key.empty())
        m_files->keep(key, profileBytes(profile));
}

void ResultCache::keep(const std::string& key, const protocol::Json& answer)
{
    if (!m_files || key.empty())
        return;
    std::string bytes;
    protocol::Json::to_cbor(answer, bytes);
    m_files->keep(key, bytes);
}

}  // namespace calibscope::engine
