// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/reading.h"
#include "core/collect/at_once.h"
#include "core/dump/dump_file.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// How subcommands go through the tensors of a dump.
namespace calibscope::cli {

/// The tensors that are asked for, as the options understand them.
[[nodiscard]] std::vector<TensorInfo> selectedTensors(const DumpFile& dump,
                                                      const TensorOptions& tensors,
                                                      const LayoutOverrideOptions& layoutOverride,
                                                      std::optional<Role> role = {});

/// The choices for a tensor, or for the one channel that is asked for.
[[nodiscard]] std::vector<Choice> choicesFor(const TensorInfo& tensor, const Consumers& consumers,
                                             const ChoiceOptions& choices,
                                             const ChannelOption& channel);

/// The dump's tensors by path, understood as the options say: the tensors whose ranges others take.
/// Both must outlive it.
[[nodiscard]] std::function<ValueSource(const std::string&)>
otherTensors(const DumpFile& dump, const LayoutOverrideOptions& layoutOverride);

/// One pass over a dump's tensors.
struct TensorPass
{
    const DumpFile& dump;
    const TensorOptions& asked;  ///< an unreadable tensor that was asked for is a complaint
    const Reading& reading;
    Complaints& complaints;
    /// Budget for one tensor; small tensors are worked on at once. 0: one tensor at a time.
    std::uint64_t memoryBytes = 0;
    bool withEmpty = false;  ///< also tensors that are unreadable for lack of values alone

    /// True for a readable tensor, and under `withEmpty` for one without values.
    [[nodiscard]] bool takes(const TensorInfo& tensor) const;
    /// The complaint about a tensor that it does not take; empty: it was not asked for.
    [[nodiscard]] std::string refusal(const TensorInfo& tensor) const;
    [[nodiscard]] bool isAlone(const TensorInfo& tensor) const;
};

/// Works on each item, which has a `tensor` and room for a result, several at once where these are
/// small; delivers items in order, one after another. An item that can't be read, or whose work
/// throws for its input, becomes a complaint in its place instead.
template <typename Item, typename Work, typename Deliver>
void forEachTensor(const TensorPass& pass, std::vector<Item> items, const Work& work,
                   const Deliver& deliver)
{
    std::vector<std::optional<std::string>> problems(items.size());
    inOrder(items.size(),
            {.work =
                 [&](std::size_t index) {
                     Item& item = items[index];
                     if (!pass.takes(item.tensor)) {
                         problems[index] = pass.refusal(item.tensor);
                         return;
                     }
                     problems[index] = inputProblem([&] {
                         pass.reading.at(pass.dump.identity().path, item.tensor.path);
                         work(item);
                     });
                 },
             .deliver =
                 [&](std::size_t index) {
                     Item item = std::exchange(items[index], {});
                     if (!problems[index])
                         deliver(item);
                     else if (!problems[index]->empty())
                         pass.complaints.add(*problems[index]);
                 },
             .isAlone = [&](std::size_t index) { return pass.isAlone(items[index].tensor); }});
}

}  // namespace calibscope::cli
