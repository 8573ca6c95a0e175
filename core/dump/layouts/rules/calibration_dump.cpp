// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/recorded_axes.h"
#include "core/dump/layouts/recorded_op.h"

#include <algorithm>
#include <array>
#include <utility>

namespace calibscope::layouts {

namespace {

constexpr std::string_view idOfCalibrationDump = "calibration-dump";

/// A group of the root that tells the role of what lies in it.
struct RoleGroup
{
    std::string_view prefix;
    Role role;
};
constexpr std::array roleGroups{RoleGroup{"/activations/", Role::Activation},
                                RoleGroup{"/weights/", Role::Weight}};

constexpr std::string_view feedsPrefix = "/feeds/";

constexpr std::array ownAttributes{"op_type",    "inputs",       "layout",
                                   "batch_size", "channel_axis", "order"};

/// The file is marked as this layout, is not marked at all, or is marked as another one.
enum class Mark { This, None, Other };

Mark markOf(const Attributes& root)
{
    const auto format = root.find("format");
    if (format == root.end())
        return Mark::None;
    const auto* text = std::get_if<std::string>(&format->second);
    return text != nullptr && *text == idOfCalibrationDump ? Mark::This : Mark::Other;
}

bool hasOwnAttributes(const Attributes& attributes)
{
    return std::ranges::any_of(ownAttributes,
                               [&](const char* name) { return attributes.contains(name); });
}

Understood understandCalibrationDump(const TensorDatasets& datasets, const RoleGroup& group,
                                     bool isMarked)
{
    AttributeReader attributes(datasets.facts.attributes);
    Draft draft = draftOf(datasets, idOfCalibrationDump);
    TensorInfo& info = draft.info();
    info.name = datasets.facts.path.substr(group.prefix.size());
    info.isGuess = !isMarked;
    info.role = group.role;
    const std::string folder(group.prefix.substr(0, group.prefix.size() - 1));
    draft.because(
        (group.role == Role::Weight ? "a weight: it lies in " : "an activation: it lies in ") +
            folder + (isMarked ? "" : ", in a file without the attribute format"),
        idOfCalibrationDump);
    const std::string_view name = info.name;
    const std::string_view word = name.substr(name.find_last_of("/.") + 1);  // npos + 1 is 0
    if (const auto role = attributes.text("role");
        group.role == Role::Weight &&
        (role == roleText(Role::Bias) || (!role && isBias(info, word)))) {
        info.role = Role::Bias;
        draft.because(role ? "a bias: attribute role = bias"
                           : "a bias: a vector whose path ends in " + std::string(word),
                      idOfCalibrationDump);
    }
    readGraph(attributes, draft);
    readLayout(attributes, info);
    readChannels(attributes, draft, idOfCalibrationDump);
    if (info.role == Role::Activation && !info.shape.empty()) {
        if (info.channelAxis == 0)
            draft.because("no batch axis: axis 0 is the channel", idOfCalibrationDump);
        else
            info.batchAxis = 0;
        readBatchSize(attributes, info);
    }
    draft.understood.warnings = attributes.warnings();
    draft.understood.standsAlone = isMarked;
    return std::move(draft.understood);
}

/// What the model was fed: one dataset for each batch and input of the graph.
Understood understandFeed(const TensorDatasets& datasets)
{
    AttributeReader attributes(datasets.facts.attributes);
    Draft draft = draftOf(datasets, idOfCalibrationDump);
    draft.info().name = datasets.facts.path.substr(feedsPrefix.size());
    draft.info().isBeside = true;
    draft.because("what the model was fed: it lies in /feeds", idOfCalibrationDump);
    readOp(attributes, draft.info());
    draft.understood.warnings = attributes.warnings();
    draft.understood.standsAlone = true;
    return std::move(draft.understood);
}

LayoutRule::Reader readerForCalibrationDump(const FileFacts& file)
{
    const Mark mark = markOf(file.attributes);
    return [mark](const TensorDatasets& datasets) -> std::optional<Understood> {
        const bool applies = mark == Mark::This ||
                             (mark == Mark::None && hasOwnAttributes(datasets.facts.attributes));
        if (mark == Mark::This && datasets.facts.path.starts_with(feedsPrefix))
            return understandFeed(datasets);
        for (const RoleGroup& group : roleGroups)
            if (applies && datasets.facts.path.starts_with(group.prefix))
                return understandCalibrationDump(datasets, group, mark == Mark::This);
        return std::nullopt;
    };
}

}  // namespace

LayoutRule calibrationDump()
{
    return {.order = 10,
            .id = idOfCalibrationDump,
            .title = "Calibration dump",
            .looksFor = "the root's attribute `format` = `calibration-dump`, or any of its "
                        "attributes on a dataset in `/activations` or `/weights` of a file without "
                        "`format`",
            .makes = "role from the group; operator, inputs, batch size and channel axis from the "
                     "attributes; samples along axis 0",
            .guesses = "in a file without `format`",
            .readerFor = readerForCalibrationDump};
}

}  // namespace calibscope::layouts
