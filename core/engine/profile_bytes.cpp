#include "core/engine/profile_bytes.h"

#include "core/base/error.h"
#include "core/protocol/codec.h"
#include "core/protocol/codec/number_array.h"

#include <cstddef>
#include <span>
#include <utility>

namespace calibscope::serve {

namespace {

constexpr int binnings = 3;

Json toolsOf(const TensorProfile& profile)
{
    Json tools = Json::array();
    for (const Histogram& histogram : profile.histograms)
        tools.push_back({{"edges", writeNumbers(std::span<const double>(histogram.edges))},
                         {"binning", static_cast<int>(histogram.binning)}});
    return tools;
}

void readTool(const Json& tool, Histogram& histogram)
{
    const Where where{nullptr, "kept histogram"};
    histogram.edges = readNumbers<double>(tool.at("edges"), where);
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
    TensorView view;
    view.profile = profile;
    const Json json = {{"view", encode(view)}, {"tools", toolsOf(profile)}};
    std::string bytes;
    Json::to_cbor(json, bytes);
    return bytes;
}

std::optional<TensorProfile> profileFrom(std::string_view bytes)
{
    try {
        const Json json = parseCbor(bytes);
        TensorProfile profile = decode<TensorView>(json.at("view")).profile;
        const Json& tools = json.at("tools");
        if (!tools.is_array() || tools.size() != profile.histograms.size())
            return std::nullopt;
        for (std::size_t index = 0; index < tools.size(); ++index)
            readTool(tools[index], profile.histograms[index]);
        return profile;
    } catch (const Error&) {
        return std::nullopt;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace calibscope::serve
