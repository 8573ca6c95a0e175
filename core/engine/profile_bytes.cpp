#include "core/engine/profile_bytes.h"

#include "core/base/error.h"
#include "core/protocol/codec.h"
#include "core/protocol/number_array.h"

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

}  // namespace calibscope::engine
