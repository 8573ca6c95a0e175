// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fold_factors.h"
#include "core/model/model_file.h"
#include "core/model/quantize_model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace calibscope::model {

/// A quantized model that was written, and what is to be said of it.
struct QuantizedFile
{
    QuantizedModel model;
    std::vector<std::string> notes;  ///< of lifting, as sentences
    std::string data;                ///< file beside it that holds its weights; empty: none
    std::uint64_t bytes = 0;         ///< of both files
};

/// Lifts a model to opset 13, quantizes it, reads its integers back and writes it to another file,
/// which appears when it is whole and valid. Throws Error as lift(), quantizeModel(),
/// checkIntegers() and writeModel(); then nothing was written.
[[nodiscard]] QuantizedFile quantizeFile(const ModelFile& source,
                                         std::span<const TensorScales> scales,
                                         const QuantizeOptions& options, const std::string& path);

/// Lifts a model to opset 13 and changes its layers as the options say, and writes it to another
/// file: float, to be quantized by any program. Throws Error as lift(), foldFactors(), shiftBiases()
/// and writeModel(); then nothing was written.
[[nodiscard]] QuantizedFile improvedFile(const ModelFile& source, const QuantizeOptions& options,
                                         const std::string& path);

/// The factors of the options' changes put into a lifted copy of the model: what they change.
[[nodiscard]] FoldedModel foldedModel(const ModelFile& source, const QuantizeOptions& options);

/// The changes that quantizeFile() would write, without writing them.
[[nodiscard]] QuantizedFile plannedFile(const ModelFile& source,
                                        std::span<const TensorScales> scales,
                                        const QuantizeOptions& options);

}  // namespace calibscope::model
