#include "tests/peers/peer_table.h"

#include "core/base/number_text.h"

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

}  // namespace calibscope::test
