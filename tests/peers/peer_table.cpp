// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/peer_table.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>

namespace calibscope::test {

namespace {

std::string difference(const char* name, double ours, const nlohmann::json& theirs)
{
    return std::string(name) + " is " + numberText(ours) + ", theirs " + theirs.dump();
}

}  // namespace

std::string sameFloat32(const char* name, double ours, const nlohmann::json& theirs)
{
    const bool isSame =
        theirs.is_number() && static_cast<float>(ours) == static_cast<float>(theirs.get<double>());
    return isSame ? "" : difference(name, ours, theirs);
}

std::string sameNumber(const char* name, double ours, const nlohmann::json& theirs)
{
    return theirs.is_number() && ours == theirs.get<double>() ? "" : difference(name, ours, theirs);
}

std::string near(const char* name, double ours, const nlohmann::json& theirs, double relative)
{
    const bool isNear = theirs.is_number() && std::abs(ours - theirs.get<double>()) <=
                                                  relative * std::abs(theirs.get<double>());
    return isNear ? "" : difference(name, ours, theirs);
}

double thresholdOf(const ScaleRow& row)
{
    return row.clip.threshold.value_or(0.0);
}

std::string
eachChannel(const Answer& answer, const nlohmann::json& theirs,
            const std::function<std::string(const ScaleRow&, const nlohmann::json&)>& compare)
{
    if (answer.channels.size() != theirs.size())
        return "another number of channels";
    for (std::size_t channel = 0; channel < theirs.size(); ++channel) {
        const std::string difference = compare(answer.channels[channel], theirs[channel]);
        if (!difference.empty())
            return "channel " + std::to_string(channel) + ": " + difference;
    }
    return {};
}

Check thresholdIsFloat32(std::string name)
{
    return [name = std::move(name)](const Answer& answer, const nlohmann::json& result) {
        const auto compare = [&](const ScaleRow& row, const nlohmann::json& theirs) {
            return sameFloat32(name.c_str(), thresholdOf(row), theirs);
        };
        if (!result.contains(name))
            return "theirs is " + result.dump();
        return result.at(name).is_array() ? eachChannel(answer, result.at(name), compare)
                                          : compare(answer.whole, result.at(name));
    };
}

std::string keepsObservedRange(const Answer& answer, const nlohmann::json& result)
{
    const Quantizer& quantizer = answer.whole.quantizer;
    const double low = std::min(result.at("clip_min").get<double>(), 0.0);
    const double high = std::max(result.at("clip_max").get<double>(), 0.0);
    const bool isAffine = answer.choice.scheme.isAffine();
    const double zeroPoint = quantizer.zeroPoint - (isAffine ? quantizer.lowLevel : 0);
    for (const std::string& difference :
         {sameFloat32("scale", quantizer.scale, result.at("scale")),
          sameNumber("zero_point", zeroPoint, result.at("zero_point")),
          isAffine ? sameFloat32("clip_min", answer.whole.clip.range->low, low) : std::string(),
          isAffine ? sameFloat32("clip_max", answer.whole.clip.range->high, high)
                   : sameFloat32("clip", thresholdOf(answer.whole), std::max(-low, high))})
        if (!difference.empty())
            return difference;
    return {};
}

}  // namespace calibscope::test
