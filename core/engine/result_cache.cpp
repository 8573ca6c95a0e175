// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/result_cache.h"

#include "core/base/error.h"
#include "core/protocol/arrays.h"
#include "core/protocol/codec.h"

#include <cstddef>
#include <span>
#include <utility>

namespace calibscope::engine {

namespace {

constexpr int binnings = 3;

protocol::Json toolsOf(const TensorProfile& profile)
{
    protocol::Json tools = protocol::Json::array();
    for (const Histogram& histogram : profile.histograms)
        tools.push_back(
            {{"edges", protocol::writeNumbers(std::span<const double>(histogram.edges))},
             {"binning", static_cast<int>(histogram.binning)}});
    return tools;
}

void readTool(const protocol::Json& tool, Histogram& histogram)
{
    const protocol::Where where{nullptr, "kept histogram"};
    histogram.edges = protocol::readNumbers<double>(tool.at("edges"), where);
    const int binning = tool.at("binning").get<int>();
    if (binning < 0 || binning >= binnings)
        where.fail("has an unknown kind of bins");
    if (!histogram.edges.empty() && histogram.edges.size() <= histogram.counts.size())
        where.fail("has fewer edges than its bins need");
    histogram.binning = static_cast<Binning>(binning);
}

}  // namespace

std::string profileBytes(const TensorProfile& profile)
{
    protocol::TensorView view;
    view.profile = profile;
    const protocol::Json json = {{"view", protocol::encode(view)}, {"tools", toolsOf(profile)}};
    std::string bytes;
    protocol::Json::to_cbor(json, bytes);
    return bytes;
}

std::optional<TensorProfile> profileFrom(std::string_view bytes)
{
    try {
        const protocol::Json json = protocol::parseCbor(bytes);
        TensorProfile profile = protocol::decode<protocol::TensorView>(json.at("view")).profile;
        const protocol::Json& tools = json.at("tools");
        if (!tools.is_array() || tools.size() != profile.histograms.size())
            return std::nullopt;
        for (std::size_t index = 0; index < tools.size(); ++index)
            readTool(tools[index], profile.histograms[index]);
        return profile;
    } catch (const Error&) {
        return std::nullopt;
    } catch (const protocol::Json::exception&) {
        return std::nullopt;
    }
}

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
