#include "ui/queries/dump_requests.h"

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
        found = std::ranges::find(tensors, nameOrPath, &TensorInfo::path);
    return found == tensors.end() ? -1 : static_cast<int>(found - tensors.begin());
}

protocol::ViewRequest viewRequest(const TensorAddress& address,
                                  std::span<const Candidate> candidates)
{
    protocol::ViewRequest request{
        .path = address.path,
        .allowExternal = address.allowExternal,
        .tensor = static_cast<std::uint64_t>(address.tensor),
        .layoutOverride = address.layoutOverride,
        .histograms = {{.domain = Domain::Magnitude}, {.domain = Domain::Signed}},
        .choices = {},
        .part = address.part};
    for (const Candidate& candidate : candidates)
        request.choices.push_back(candidate.choice);
    return request;
}

protocol::PreviewRequest previewRequest(const TensorAddress& address, std::optional<Choice> choice)
{
    return {.path = address.path,
            .allowExternal = address.allowExternal,
            .tensor = static_cast<std::uint64_t>(address.tensor),
            .layoutOverride = address.layoutOverride,
            .choice = std::move(choice)};
}

}  // namespace calibscope
