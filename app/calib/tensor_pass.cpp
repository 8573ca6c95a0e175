// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/tensor_pass.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"

namespace calibscope::cli {

std::vector<TensorInfo> selectedTensors(const DumpFile& dump, const TensorOptions& tensors,
                                        const LayoutOverrideOptions& layoutOverride,
                                        std::optional<Role> role)
{
    std::vector<TensorInfo> selected;
    for (const std::size_t index : tensors.selected(dump, role))
        selected.push_back(layoutOverride.applied(dump.tensors()[index]));
    return selected;
}

std::vector<Choice> choicesFor(const TensorInfo& tensor, const Consumers& consumers,
                               const ChoiceOptions& choices, const ChannelOption& channel)
{
    std::vector<Choice> made = choices.choicesFor(tensor, consumers);
    if (channel.channel)
        for (Choice& choice : made)
            choice = forOneChannel(choice, *channel.channel, tensor.channelCount());
    return made;
}

std::function<ValueSource(const std::string&)>
otherTensors(const DumpFile& dump, const LayoutOverrideOptions& layoutOverride)
{
    return [&dump, &layoutOverride](const std::string& path) {
        const std::optional<std::size_t> found = dump.find(path);
        if (!found)
            throw Error(Fault::Input, "{}: there is no tensor {}", dump.identity().path, path);
        return dump.source(layoutOverride.applied(dump.tensors()[*found]), layoutOverride.batches);
    };
}

bool TensorPass::takes(const TensorInfo& tensor) const
{
    return tensor.isReadable() || (withEmpty && tensor.valueCount() == 0 && tensor.elementType);
}

std::string TensorPass::refusal(const TensorInfo& tensor) const
{
    return asked.asksFor(tensor)
               ? dump.identity().path + ":" + tensor.path + ": " + tensor.unreadable.sentence
               : std::string();
}

bool TensorPass::isAlone(const TensorInfo& tensor) const
{
    // The work on each may take the whole budget; on a small tensor it takes four times its values
    // at most.
    return tensor.valueCount() * sizeof(float) > memoryBytes / 4 / threadsAtMost() ||
           memoryBytes == 0;
}

}  // namespace calibscope::cli
