// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/decisions.h"

#include "core/base/error.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"

#include <span>
#include <utility>

namespace calibscope::deploy {

namespace {

struct Task
{
    TensorInfo tensor;
    Choice choice;
    Outcome outcome = {};
    std::string problem = {};
};

TensorInfo understood(const TensorInfo& tensor, const DecisionOptions& options)
{
    return options.understood ? options.understood(tensor) : tensor;
}

std::function<ValueSource(const std::string&)> otherTensors(const DumpFile& dump,
                                                            const DecisionOptions& options)
{
    return [&dump, &options](const std::string& path) {
        const std::optional<std::size_t> found = dump.find(path);
        if (!found)
            throw Error(Fault::Input, "{}: there is no tensor {}", dump.identity().path, path);
        return dump.source(understood(dump.tensors()[*found], options), options.firstBatches);
    };
}

Outcome outcomeOf(const DumpFile& dump, const Task& task, const DecisionOptions& options)
{
    if (options.begins)
        options.begins(task.tensor);
    const ValueSource source = heldIfSmall(dump.source(task.tensor, options.firstBatches),
                                           AnalyseOptions{}.memoryBytes, options.progress);
    TensorProfile profile = collectProfile(source, options.progress);
    const AnalyseOptions analysis{
        .effort = options.effort, .otherTensor = otherTensors(dump, options), .ask = options.ask};
    return analyse(source, profile, std::span(&task.choice, 1), analysis, options.progress).front();
}

void compute(const DumpFile& dump, Task& task, const DecisionOptions& options)
{
    const std::string place = dump.identity().path + ":" + task.tensor.path + ": ";
    if (!task.tensor.isReadable()) {
        task.problem = place + task.tensor.unreadable.sentence;
        return;
    }
    const std::optional<std::string> problem = inputProblem([&] {
        task.outcome = outcomeOf(dump, task, options);
        task.outcome.file = dump.identity().path;
        if (!task.outcome.problem.empty())
            task.problem = place + task.choice.calibrator + ": " + task.outcome.problem;
    });
    if (problem)
        task.problem = *problem;
}

}  // namespace

Decisions decidedBy(const DumpFile& dump, const DecidedChoice& choiceOf,
                    const DecisionOptions& options)
{
    std::vector<Task> tasks;
    for (const TensorInfo& recorded : dump.tensors()) {
        if (options.wants && !options.wants(recorded))
            continue;
        TensorInfo tensor = understood(recorded, options);
        if (std::optional<Choice> choice = choiceOf(tensor))
            tasks.push_back({.tensor = std::move(tensor), .choice = *std::move(choice)});
    }
    Decisions decisions;
    // Each analysis may take the whole budget; a small tensor's takes four times its values at
    // most.
    const std::uint64_t smallBytes = AnalyseOptions{}.memoryBytes / 4 / threadsAtMost();
    inOrder(tasks.size(),
            {.work = [&](std::size_t index) { compute(dump, tasks[index], options); },
             .deliver =
                 [&](std::size_t index) {
                     Task task = std::exchange(tasks[index], {});
                     if (task.problem.empty())
                         decisions.tensors.push_back({.file = dump.identity().path,
                                                      .info = std::move(task.tensor),
                                                      .outcome = std::move(task.outcome),
                                                      .graphName = {}});
                     else
                         decisions.problems.push_back(std::move(task.problem));
                 },
             .isAlone =
                 [&](std::size_t index) {
                     return tasks[index].tensor.valueCount() * sizeof(float) > smallBytes;
                 }});
    return decisions;
}

}  // namespace calibscope::deploy
