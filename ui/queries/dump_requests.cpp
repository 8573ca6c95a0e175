// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/dump_requests.h"

#include "core/tensor/tensor_selection.h"

#include <algorithm>
#include <utility>

namespace calibscope {

int firstToShow(std::span<const TensorInfo> tensors)
{
    const auto place = [tensors](auto wanted) {
        const auto found = std::ranges::find_if(tensors, wanted);
        return found == tensors.end() ? -1 : static_cast<int>(found - tensors.begin());
    };
    const int activation = place([](const TensorInfo& tensor) {
        return tensor.role == Role::Activation && tensor.isReadable();
    });
    if (activation >= 0)
        return activation;
    const int readable = place([](const TensorInfo& tensor) { return tensor.isReadable(); });
    return readable >= 0 || tensors.empty() ? readable : 0;
}

int placeOf(std::span<const TensorInfo> tensors, const std::string& nameOrPath)
{
    auto found = std::ranges::find(tensors, nameOrPath, &TensorInfo::name);
    if (found == tensors.end())
        found = std::ranges::find_if(
            tensors, [&](const TensorInfo& tensor) { return isPathOf(tensor, nameOrPath); });
    return found == tensors.end() ? -1 : static_cast<int>(found - tensors.begin());
}

protocol::ViewRequest viewRequest(const TensorRef& tensor, std::span<const Candidate> candidates)
{
    protocol::ViewRequest request{
        .tensor = tensor,
        .histograms = {{.domain = Domain::Magnitude}, {.domain = Domain::Signed}},
        .choices = {}};
    for (const Candidate& candidate : candidates)
        request.choices.push_back(candidate.choice);
    return request;
}

bool isFirstBatchWorthwhile(const TensorInfo& tensor, const TensorPart& part)
{
    constexpr std::uint64_t manyValues = 8'000'000;  // some tenths of a second, if compressed
    constexpr std::uint64_t manyBatches = 4;         // of fewer, one is as long as the rest
    return part.isWhole() && tensor.batchCount() >= manyBatches && tensor.valueCount() > manyValues;
}

protocol::ViewRequest firstBatchRequest(const protocol::ViewRequest& whole)
{
    protocol::ViewRequest request = whole;
    request.choices.clear();
    request.exactMetrics = false;
    request.curves = false;
    request.tensor.part = {.channel = {}, .batches = 1};
    return request;
}

protocol::PreviewRequest previewRequest(const TensorRef& tensor, std::optional<Choice> choice)
{
    return {.tensor = tensor, .choice = std::move(choice)};
}

}  // namespace calibscope
