// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/stored_quantization.h"

#include <limits>
#include <string>

namespace calibscope::deploy {

namespace {

using nlohmann::json;

int smallInteger(const JsonObject& object, const char* key)
{
    const std::int64_t value = object.integer(key);
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
        object.fail(std::string(key) + " is out of range");
    return static_cast<int>(value);
}

}  // namespace

json quantizationJson(const TensorQuantization& quantization)
{
    json value{{"low", quantization.format.low()},
               {"high", quantization.format.high()},
               {"scales", json::array()}};
    for (std::size_t index = 0; index < quantization.scales.size(); ++index)
        value["scales"].push_back({{"scale", static_cast<double>(quantization.scales[index])},
                                   {"zero_point", quantization.integerScale(index).zeroPoint}});
    if (quantization.axis)
        value["axis"] = *quantization.axis;
    if (quantization.group > 1)
        value["group"] = quantization.group;
    return value;
}

TensorQuantization quantizationFrom(const JsonObject& object)
{
    const int low = smallInteger(object, "low");
    const int high = smallInteger(object, "high");
    if (low >= high)
        object.fail("low is not below high");
    TensorQuantization quantization{.group = object.count("group", 1),
                                    .format = NumberFormat::integers(low, high)};
    if (object.has("axis"))
        quantization.axis = smallInteger(object, "axis");
    object.list("scales", [&](const JsonObject& scale) {
        quantization.scales.push_back(static_cast<float>(scale.number("scale")));
        quantization.zeroPoints.push_back(smallInteger(scale, "zero_point"));
    });
    return quantization;
}

}  // namespace calibscope::deploy
