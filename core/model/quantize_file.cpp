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

/// A model that is being made, and what is to be said of it.
struct MadeModel
{
    ::onnx::ModelProto proto;
    std::vector<std::string> scopes;  ///< before it was lifted
    QuantizedFile file;
    FoldedModel folded;
};

/// The model, lifted, with its layers' factors and biases.
MadeModel improvedModel(const ModelFile& source, const QuantizeOptions& options)
{
    MadeModel made{.proto = source.proto(), .scopes = {}, .file = {}, .folded = {}};
    made.scopes = graphScopes(made.proto);
    made.file.notes = lift(made.proto, source.path());
    made.folded = foldFactors(made.proto, options.changes, source.path(), made.scopes);
    std::ranges::move(shiftBiases(made.proto, made.folded.changes, source.path(), made.scopes),
                      std::back_inserter(made.folded.lints));
    return made;
}

MadeModel quantizedModel(const ModelFile& source, std::span<const TensorScales> scales,
                         const QuantizeOptions& options)
{
    MadeModel made = improvedModel(source, options);
    QuantizeOptions changed = options;
    changed.changes = made.folded.changes;
    made.file.model = quantizeModel(made.proto, scales, changed, source.path(), made.scopes);
    std::ranges::copy(made.folded.lints, std::back_inserter(made.file.model.lints));
    if (made.file.model.needsBlocks)
        std::ranges::move(liftToBlocks(made.proto, source.path()),
                          std::back_inserter(made.file.notes));
    checkIntegers(made.proto, made.file.model.weights, source, made.folded.weights);
    return made;
}

QuantizedFile written(MadeModel made, const ModelFile& source, const std::string& path)
{
    const WrittenModel result = writeModel(std::move(made.proto), path, source.path());
    made.file.data = result.data;
    made.file.bytes = result.bytes;
    return std::move(made.file);
}

}  // namespace

QuantizedFile quantizeFile(const ModelFile& source, std::span<const TensorScales> scales,
                           const QuantizeOptions& options, const std::string& path)
{
    return written(quantizedModel(source, scales, options), source, path);
}

QuantizedFile improvedFile(const ModelFile& source, const QuantizeOptions& options,
                           const std::string& path)
{
    MadeModel made = improvedModel(source, options);
    setMetadata(made.proto, options);
    made.file.model.lints = made.folded.lints;
    return written(std::move(made), source, path);
}

FoldedModel foldedModel(const ModelFile& source, const QuantizeOptions& options)
{
    return improvedModel(source, options).folded;
}

QuantizedFile plannedFile(const ModelFile& source, std::span<const TensorScales> scales,
                          const QuantizeOptions& options)
{
    return quantizedModel(source, scales, options).file;
}

}  // namespace calibscope::model
