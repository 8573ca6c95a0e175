#include "ui/dump_requests.h"

#include <algorithm>

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

serve::ViewRequest viewRequest(const std::string& path, int tensor,
                               std::span<const Candidate> candidates)
{
    serve::ViewRequest request{
        .path = path,
        .tensor = static_cast<std::uint64_t>(tensor),
        .histograms = {{.domain = Domain::Magnitude}, {.domain = Domain::Signed}},
        .choices = {}};
    for (const Candidate& candidate : candidates)
        request.choices.push_back(candidate.choice);
    return request;
}

std::vector<serve::GlanceRequest> glanceRequests(const std::string& path,
                                                 std::span<const TensorInfo> tensors,
                                                 const Recipe& recipe, const Consumers& consumers)
{
    std::vector<serve::GlanceRequest> requests;
    for (std::size_t index = 0; index < tensors.size(); ++index)
        if (tensors[index].isReadable())
            requests.push_back({.path = path,
                                .tensor = index,
                                .choice = choose(recipe, tensors[index], consumers)});
    return requests;
}

}  // namespace calibscope
