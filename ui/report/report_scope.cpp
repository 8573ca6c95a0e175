#include "ui/report/report_scope.h"

#include "core/base/error.h"
#include "core/tensor/tensor_selection.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_flags.h"

#include <set>
#include <utility>

namespace calibscope {

namespace {

/// Source and place in its list.
using TensorPlace = std::pair<std::size_t, std::size_t>;

/// The tensors that a pattern means. Throws where no dump has one.
void addNamed(std::set<TensorPlace>& named, const std::vector<protocol::DumpOpened>& dumps,
              const std::string& pattern)
{
    std::optional<Error> complaint;
    bool isFound = false;
    for (std::size_t source = 0; source < dumps.size(); ++source) {
        try {
            const std::vector<std::string> one = {pattern};
            for (const std::size_t tensor : selectTensors(dumps[source].tensors, one))
                named.emplace(source, tensor);
            isFound = true;
        } catch (const Error& error) {
            complaint = error;
        }
    }
    if (!isFound && complaint)
        throw Error(*complaint);
}

bool matches(const TensorFilter& filter, const PlannedTensor& planned, EngineCalls& calls)
{
    if (!filter.needsPreviews())
        return filter.matches({.tensor = planned.info});
    std::optional<protocol::Preview> preview;
    if (planned.info.isReadable()) {
        const protocol::ViewRequest& view = planned.request;
        protocol::PreviewRequest request{
            .path = view.path, .allowExternal = view.allowExternal, .tensor = view.tensor};
        if (!view.choices.empty())
            request.choice = view.choices.front();
        preview = calls.preview(request).value;
    }
    const protocol::Preview* known = preview ? &*preview : nullptr;
    return filter.matches({.tensor = planned.info,
                           .preview = known,
                           .isFlagged = tensorFlags(planned.info, known).hasWarning()});
}

}  // namespace

void keepScope(std::vector<PlannedTensor>& planned, const std::vector<protocol::DumpOpened>& dumps,
               const ReportOptions& options, EngineCalls& calls)
{
    const TensorFilter filter(options.filter);
    if (!filter.problem().empty())
        throw Error(Fault::Usage, "--filter " + options.filter + ": " + filter.problem());
    std::set<TensorPlace> named;
    for (const std::string& pattern : options.tensors)
        addNamed(named, dumps, pattern);
    std::erase_if(planned, [&](const PlannedTensor& tensor) {
        return (!options.tensors.empty() &&
                !named.contains({tensor.source, tensor.request.tensor})) ||
               !matches(filter, tensor, calls);
    });
}

}  // namespace calibscope
