// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantize_file.h"

#include "core/model/check_integers.h"
#include "core/model/lift.h"
#include "core/model/write_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <onnx/onnx_pb.h>

namespace calibscope::model {

namespace {

/// The model, lifted and quantized, and what is to be said of it.
std::pair<::onnx::ModelProto, QuantizedFile> quantizedModel(const ModelFile& source,
                                                            std::span<const TensorScales> scales,
                                                            const QuantizeOptions& options)
{
    std::pair<::onnx::ModelProto, QuantizedFile> made;
    auto& [model, file] = made;
    model = source.proto();
    const std::vector<std::string> scopes = graphScopes(model);
    file.notes = lift(model, source.path());
    Findings refused = shiftBiases(model, options.changes, source.path(), scopes);
    file.model = quantizeModel(model, scales, options, source.path(), scopes);
    std::ranges::move(refused, std::back_inserter(file.model.lints));
    if (file.model.needsBlocks)
        std::ranges::move(liftToBlocks(model, source.path()), std::back_inserter(file.notes));
    checkIntegers(model, file.model.weights, source);
    return made;
}

}  // namespace

QuantizedFile quantizeFile(const ModelFile& source, std::span<const TensorScales> scales,
                           const QuantizeOptions& options, const std::string& path)
{
    auto [model, file] = quantizedModel(source, scales, options);
    const WrittenModel written = writeModel(std::move(model), path, source.path());
    file.data = written.data;
    file.bytes = written.bytes;
    return file;
}

QuantizedFile plannedFile(const ModelFile& source, std::span<const TensorScales> scales,
                          const QuantizeOptions& options)
{
    return quantizedModel(source, scales, options).second;
}

}  // namespace calibscope::model
