// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/keras_axes.h"

#include "core/dump/layouts/path_words.h"

namespace calibscope::layouts {

namespace {

bool mentions(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool isDepthwise(const KerasVariable& variable, std::string_view layer)
{
    if (!variable.name.empty())
        return variable.name == "depthwise_kernel";
    return mentions(layer, "depthwise") || (mentions(layer, "separable") && variable.number == 0);
}

struct Choice
{
    int axis = 0;
    std::string_view reason;
};

Choice channelOf(const KerasVariable& variable, int rank)
{
    const std::string layer = lowerCase(variable.layer);
    if (rank > 2 && isDepthwise(variable, layer))
        return {rank - 2, "a depthwise kernel ends with channels x multiplier"};
    if (rank > 2 && mentions(layer, "transpose"))
        return {rank - 2, "a transposed kernel ends with outputs x inputs"};
    if (rank == 2 && (mentions(layer, "embedding") || variable.name == "embeddings"))
        return {0, "an embedding has a row for each entry"};
    return {rank - 1, "kernels end with inputs x outputs"};
}

}  // namespace

void takeKerasAxes(Draft& draft, const KerasVariable& variable, std::string_view rule)
{
    TensorInfo& info = draft.info();
    info.role = Role::Weight;
    draft.understood.standsAlone = true;
    const int rank = static_cast<int>(info.shape.size());
    if (rank < 2) {
        draft.because("a vector has one scale as a whole, none per channel", rule);
        return;
    }
    const Choice channel = channelOf(variable, rank);
    info.channelAxis = channel.axis;
    draft.because("axis " + std::to_string(channel.axis) +
                      " is the channel: " + std::string(channel.reason),
                  rule);
}

void setApart(Draft& draft, const std::string& what, std::string_view rule)
{
    TensorInfo& info = draft.info();
    info.isBeside = true;
    info.role = Role::Unknown;
    draft.understood.standsAlone = true;
    if (info.unreadable.empty())
        info.unreadable = "it is " + what + ", which is not quantized";
    draft.because("set apart: " + what, rule);
}

}  // namespace calibscope::layouts
