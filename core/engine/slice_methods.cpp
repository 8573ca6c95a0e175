// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/slice_methods.h"

#include "core/base/error.h"
#include "core/collect/collect_slice.h"
#include "core/collect/locate_values.h"
#include "core/collect/sample_extremes.h"
#include "core/dump/batch_first.h"
#include "core/samples/largest_error.h"
#include "core/samples/study_samples.h"
#include "core/tensor/layout_override.h"

#include <memory>
#include <string>

namespace calibscope::engine {

AskedTensor tensorIn(EngineMemory& memory, const TensorRef& tensor, const Progress& progress)
{
    AskedTensor found{.dump = memory.dumps.asOpened(tensor.file, tensor.allowExternal, progress),
                      .info = {}};
    if (tensor.index >= found.dump->tensors.size())
        throw Error(
            Fault::Input,
            "{}: there is no tensor {}, it has {}; the file may have changed, open it again",
            tensor.file, tensor.index, found.dump->tensors.size());
    found.info = understoodAs(found.dump->tensors[tensor.index], tensor.layoutOverride);
    return found;
}

Slice sliceOf(EngineMemory& memory, const protocol::SliceRequest& request, const Progress& progress)
{
    const AskedTensor tensor = tensorIn(memory, request.tensor, progress);
    if (!tensor.dump->boxes)
        throw Error(Fault::Usage, "{}: its values can be read in order only", request.tensor.file);
    return collectSlice(tensor.dump->boxes(tensor.info, request.isFirstLook), request.question,
                        progress);
}

FoundValues locatedIn(EngineMemory& memory, const protocol::LocateRequest& request,
                      const Progress& progress)
{
    const AskedTensor tensor = tensorIn(memory, request.tensor, progress);
    const TensorPart& part = request.tensor.part;
    if (request.most == 0 || request.most > mostPlaces)
        throw Error(Fault::Usage, "1 to {} places can be asked for, not {}", mostPlaces,
                    request.most);
    if (part.channel && *part.channel >= tensor.info.channelCount())
        throw Error(Fault::Usage, "{}: there is no channel {}", tensor.info.path, *part.channel);
    const ValueSource source = tensor.dump->source(tensor.info, part.batches.value_or(0));
    const auto inFile = [&info = tensor.info](std::uint64_t index) {
        return indexInFile(info, index);
    };
    if (request.marked)
        return markedPlaces(source, *request.marked, request.most, part.channel, inFile, progress);
    return largestPlaces(source, request.most, part.channel, inFile, progress);
}

SampleExtreme extremeOf(EngineMemory& memory, const protocol::ExtremeRequest& request,
                        const Progress& progress)
{
    const AskedTensor tensor = tensorIn(memory, request.tensor, progress);
    std::optional<SampleExtreme> found =
        request.choice
            ? samples::sampleExtremeUnder(tensor.dump->source(tensor.info, 0), *request.choice,
                                          samples::StudyOptions{}.memoryBytes, progress)
            : sampleExtreme(tensor.dump->source(tensor.info, 0), progress);
    if (!found)
        throw Error(Fault::Usage, "{}: has no finite value", tensor.info.path);
    found->index = indexInFile(tensor.info, found->index);
    const auto recorded = [&](std::uint64_t sample) {
        return recordedSample(tensor.info, tensor.dump->firstSample(), sample);
    };
    found->sample = recorded(found->sample);
    if (found->error && found->error->problem.empty()) {
        found->error->index = indexInFile(tensor.info, found->error->index);
        found->error->sample = recorded(found->error->sample);
    }
    return *found;
}

}  // namespace calibscope::engine
