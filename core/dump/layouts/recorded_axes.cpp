// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/recorded_axes.h"

#include "core/dump/layouts/operator_names.h"
#include "core/dump/layouts/recorded_op.h"

#include <functional>
#include <numeric>
#include <string>
#include <string_view>

namespace calibscope::layouts {

std::optional<std::string> AttributeReader::text(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* text = std::get_if<std::string>(value))
        return *text;
    const auto* list = std::get_if<std::vector<std::string>>(value);
    if (list != nullptr && list->size() == 1)
        return list->front();
    passOver(name, "it is not a string");
    return std::nullopt;
}

std::optional<std::int64_t> AttributeReader::integer(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(value))
        return *number;
    passOver(name, "it is not a whole number");
    return std::nullopt;
}

std::vector<std::string> AttributeReader::texts(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return {};
    if (const auto* list = std::get_if<std::vector<std::string>>(value))
        return *list;
    if (const auto* text = std::get_if<std::string>(value))
        return {*text};
    // h5py's empty list has no strings, but numbers.
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(value);
    if (numbers == nullptr || !numbers->empty())
        passOver(name, "it is not a list of strings");
    return {};
}

std::optional<double> AttributeReader::number(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* number = std::get_if<double>(value))
        return *number;
    if (const auto* whole = std::get_if<std::int64_t>(value))
        return static_cast<double>(*whole);
    passOver(name, "it is not a number");
    return std::nullopt;
}

std::vector<std::int64_t> AttributeReader::integers(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return {};
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(value))
        return *list;
    if (const auto* number = std::get_if<std::int64_t>(value))
        return {*number};
    passOver(name, "it is not a list of whole numbers");
    return {};
}

namespace {

/// One letter, or whether it is a capital: names of attributes are distinguished by that.
bool isOneByteOff(std::string_view one, std::string_view other)
{
    return one.size() == other.size() &&
           std::inner_product(one.begin(), one.end(), other.begin(), 0, std::plus(),
                              std::not_equal_to()) == 1;
}

/// Two names of one format that are one letter apart.
bool areNeighbours(std::string_view one, std::string_view other)
{
    constexpr std::string_view a = "transA";
    constexpr std::string_view b = "transB";
    return (one == a && other == b) || (one == b && other == a);
}

}  // namespace

void AttributeReader::passOver(const std::string& name, const std::string& reason)
{
    m_warnings.push_back("attribute " + name + " is ignored: " + reason);
}

void AttributeReader::doubt(const std::string& name, const std::string& reason)
{
    m_warnings.push_back("attribute " + name + " is doubtful: " + reason);
}

const AttributeValue* AttributeReader::find(const std::string& name)
{
    const auto found = m_attributes.find(name);
    if (found != m_attributes.end())
        return &found->second;
    // The earliest format has no checksum of names.
    constexpr std::size_t leastLetters = 5;
    for (const auto& [other, value] : m_attributes)
        if (name.size() >= leastLetters && isOneByteOff(name, other) && !areNeighbours(name, other))
            doubt(other, "its name is one letter off " + name +
                             ", which is missing: check whether the file is damaged");
    return nullptr;
}

namespace {

std::string axisSentence(int axis, const std::string& source)
{
    return "axis " + std::to_string(axis) + " is the channel: attribute " + source;
}

bool readAxis(AttributeReader& attributes, Draft& draft, const std::string& name,
              std::string_view rule)
{
    const std::optional<std::int64_t> axis = attributes.integer(name);
    if (!axis)
        return false;
    const auto axes = std::ssize(draft.info().shape);
    if (*axis < -axes || *axis >= axes) {
        attributes.passOver(name, std::to_string(*axis) + " is not an axis of a tensor of rank " +
                                      std::to_string(axes));
        return false;
    }
    const int found = static_cast<int>(*axis < 0 ? *axis + axes : *axis);
    draft.info().channelAxis = found;
    draft.because(axisSentence(found, name + " = " + std::to_string(*axis)), rule);
    return true;
}

}  // namespace

void readGraph(AttributeReader& attributes, Draft& draft)
{
    draft.info().op = attributes.text("op_type").value_or("");
    if (const std::string_view meant = operatorMeant(draft.info().op); !meant.empty())
        attributes.doubt("op_type", "it is \"" + draft.info().op + "\", one letter off \"" +
                                        std::string(meant) +
                                        "\": check whether the file is damaged");
    draft.info().inputs = attributes.texts("inputs");
    draft.understood.order = attributes.integer("order");
    readOp(attributes, draft.info());
}

void readLayout(AttributeReader& attributes, TensorInfo& info)
{
    const std::string layout = attributes.text("layout").value_or("");
    if (layout.size() == info.shape.size())
        info.layout = layout;
    else if (!layout.empty())
        attributes.passOver("layout", layout + " names " + std::to_string(layout.size()) +
                                          " axes of a tensor of rank " +
                                          std::to_string(info.shape.size()));
}

void readChannels(AttributeReader& attributes, Draft& draft, std::string_view rule, bool readsAxis)
{
    draft.hasChannels = readAxis(attributes, draft, "channel_axis", rule) ||
                        (readsAxis && readAxis(attributes, draft, "axis", rule));
    const std::string& layout = draft.info().layout;
    if (draft.hasChannels || layout.empty())
        return;
    draft.hasChannels = true;
    const std::size_t outputs = layout.find('O');
    const std::size_t axis = outputs != std::string::npos ? outputs : layout.find('C');
    if (axis == std::string::npos) {
        draft.because("no channel: attribute layout = " + layout, rule);
        return;
    }
    draft.info().channelAxis = static_cast<int>(axis);
    draft.because(axisSentence(static_cast<int>(axis), "layout = " + layout), rule);
}

void readBatchSize(AttributeReader& attributes, TensorInfo& info)
{
    if (!info.batchAxis)
        return;
    const std::optional<std::int64_t> size = attributes.integer("batch_size");
    if (size && *size <= 0)
        attributes.passOver("batch_size", std::to_string(*size) + " is not a number of samples");
    else
        info.batchSize = static_cast<std::uint64_t>(size.value_or(0));
}

}  // namespace calibscope::layouts
