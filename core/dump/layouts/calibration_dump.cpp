#include "core/dump/attribute_reader.h"
#include "core/dump/layout.h"

#include <array>
#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view id = "calibration-dump";

/// A group of the root that tells the role of what lies in it.
struct RoleGroup
{
    std::string_view prefix;
    Role role;
};
constexpr std::array roleGroups{RoleGroup{"/activations/", Role::Activation},
                                RoleGroup{"/weights/", Role::Weight}};

/// The file is marked as this layout, is not marked at all, or is marked as another one.
enum class Mark { This, None, Other };

Mark markOf(const Attributes& root)
{
    const auto format = root.find("format");
    if (format == root.end())
        return Mark::None;
    const auto* text = std::get_if<std::string>(&format->second);
    return text != nullptr && *text == id ? Mark::This : Mark::Other;
}

std::optional<int> channelAxisOfLayout(const std::string& layout)
{
    const std::size_t axis = layout.find('C');
    return axis == std::string::npos ? std::nullopt : std::optional{static_cast<int>(axis)};
}

/// The attribute, counted from the end where it is negative; else from the layout.
std::optional<int> readChannelAxis(AttributeReader& attributes, const TensorInfo& info)
{
    const auto axes = std::ssize(info.shape);
    if (const std::optional<std::int64_t> axis = attributes.integer("channel_axis")) {
        if (*axis >= -axes && *axis < axes)
            return static_cast<int>(*axis < 0 ? *axis + axes : *axis);
        attributes.passOver("channel_axis", std::to_string(*axis) +
                                                " is no axis of a tensor of rank " +
                                                std::to_string(axes));
    }
    return channelAxisOfLayout(info.layout);
}

std::string readLayout(AttributeReader& attributes, const TensorInfo& info)
{
    std::string layout = attributes.text("layout").value_or("");
    if (layout.empty() || layout.size() == info.shape.size())
        return layout;
    attributes.passOver("layout", layout + " names " + std::to_string(layout.size()) +
                                      " axes of a tensor of rank " +
                                      std::to_string(info.shape.size()));
    return {};
}

void readBatches(AttributeReader& attributes, TensorInfo& info)
{
    if (info.shape.empty())
        return;
    info.batchAxis = 0;
    const std::optional<std::int64_t> size = attributes.integer("batch_size");
    if (size && *size <= 0)
        attributes.passOver("batch_size", std::to_string(*size) + " is no number of samples");
    else
        info.batchSize = static_cast<std::uint64_t>(size.value_or(0));
}

std::optional<Understood> understand(const Attributes& root, const DatasetFacts& dataset)
{
    const Mark mark = markOf(root);
    for (const auto& [prefix, role] : roleGroups) {
        if (mark == Mark::Other || !dataset.path.starts_with(prefix))
            continue;
        AttributeReader attributes(dataset.attributes);
        TensorInfo info = plainInfo(dataset, dataset.path.substr(prefix.size()), id);
        info.isGuess = mark == Mark::None;
        info.role = role;
        info.op = attributes.text("op_type").value_or("");
        info.inputs = attributes.texts("inputs");
        info.layout = readLayout(attributes, info);
        info.channelAxis = readChannelAxis(attributes, info);
        if (role == Role::Activation)
            readBatches(attributes, info);
        const std::optional<std::int64_t> order = attributes.integer("order");
        return Understood{
            .info = std::move(info), .order = order, .warnings = attributes.warnings()};
    }
    return std::nullopt;
}

}  // namespace

LayoutRule calibrationDump()
{
    return {.order = 10,
            .id = id,
            .title = "Calibration dump",
            .summary = "Datasets in /activations and /weights, with attributes for the op, its "
                       "inputs, the layout, the batch size and the channel axis; axis 0 of an "
                       "activation is the sample.",
            .understand = understand};
}

}  // namespace calibscope::layouts
