#include "core/report/python/tensor_code.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace calibscope::python {

namespace {

struct SmallFloat
{
    std::string_view type;
    std::string_view arguments;  ///< of float8(): bits of the exponent, bias, special values
};

constexpr std::array<SmallFloat, 6> smallFloats = {{{"float8_e4m3fn", "4, 7, \"fn\""},
                                                    {"float8_e5m2", "5, 15, \"ieee\""},
                                                    {"float8_e4m3", "4, 7, \"ieee\""},
                                                    {"float8_e4m3fnuz", "4, 8, \"fnuz\""},
                                                    {"float8_e5m2fnuz", "5, 16, \"fnuz\""},
                                                    {"float8_e4m3b11fnuz", "4, 11, \"fnuz\""}}};

/// The argument that says how stored elements become numbers; empty where NumPy knows.
Code decoding(const TensorInfo& tensor)
{
    if (tensor.elementType == "bfloat16")
        return {.text = ", decode=bfloat16", .needs = {"bfloat16"}};
    const auto* const found = std::ranges::find(smallFloats, tensor.elementType, &SmallFloat::type);
    if (found != smallFloats.end())
        return {.text =
                    ", decode=lambda stored: float8(stored, " + std::string(found->arguments) + ")",
                .needs = {"float8"}};
    if (tensor.storedType.empty() || tensor.storedType == tensor.elementType)
        return {};
    // Bits under another name: an integer of the same width that is read as something else.
    return {.text = ", decode=lambda stored: stored.view(" + literal(tensor.elementType) + ")"};
}

std::string datasets(const TensorInfo& tensor)
{
    if (tensor.parts.empty())
        return "[" + literal(tensor.path) + "]";
    std::string list;
    for (const std::string& part : tensor.parts)
        list += (list.empty() ? "" : ", ") + literal(part);
    return "[" + list + "]";
}

}  // namespace

Code tensorCode(const TensorInfo& tensor, const TensorPart& part)
{
    Code decode = decoding(tensor);
    Code code{.text = "read(FILE, " + datasets(tensor), .needs = std::move(decode.needs)};
    code.needs.insert("read");
    if (tensor.batchAxis)
        code.text += ", batch_axis=" + std::to_string(*tensor.batchAxis);
    if (tensor.batchAxis && tensor.batchSize > 0)
        code.text += ", batch_size=" + std::to_string(tensor.batchSize);
    if (part.batches)
        code.text += ", batches=" + std::to_string(*part.batches);
    code.text += decode.text + ")";
    if (const auto axis = channelAxisOfBatches(tensor); part.channel && axis) {
        code.text = "channel(" + code.text + ", axis=" + std::to_string(*axis) +
                    ", index=" + std::to_string(*part.channel) + ")";
        code.needs.insert("channel");
    }
    return code;
}

std::optional<int> channelAxisOfBatches(const TensorInfo& tensor)
{
    if (!tensor.channelAxis || !tensor.batchAxis)
        return tensor.channelAxis;
    return *tensor.channelAxis + (*tensor.channelAxis < *tensor.batchAxis ? 1 : 0);
}

}  // namespace calibscope::python
