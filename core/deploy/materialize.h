// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/dump_file.h"
#include "core/recipes/decided_tensor.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// A dump with what was decided on it, to be written as integers.
struct IntegerSource
{
    std::shared_ptr<const DumpFile> dump;
    std::span<const DecidedTensor> tensors;
    std::string sha256;  ///< of the dump
};

struct IntegerOptions
{
    int mostWeightLevel = 127;  ///< levels of weights reach to it, both ways: 127 or 63
    std::function<void()> endsReading = {};  ///< called when all is read and made
};

struct WrittenIntegers
{
    std::size_t weights = 0;
    std::size_t activations = 0;
    /// Why decided tensors are not in the file, as sentences "file:path: why".
    std::vector<std::string> problems;
    std::vector<std::string> notes;  ///< likewise, of tensors that are
};

/// Writes decided tensors as integers (resources/docs/dump-format.md, "Quantized tensors"): weights
/// as int8 with scales and zero points, of all else scales and zero points alone. Scales are
/// rounded to float32 first; integers are those of integerOf(), the quotient in float32. Scales of
/// weights are raised for their layers' biases where the dump has these and the layer's input has
/// a scale, see raisedForBiases().
///
/// Not written, with a problem: a weight that holds NaN or can't be read, a weight of more than
/// 8 bits or with scales of groups, a zero point that is not an integer, a scale that is not a finite
/// float32 above 0, and a tensor under whose name there is one already. Where nothing is left there is no file.
/// Throws Error(Input) where nothing was decided at all, and Error(Output); then there is no file,
/// or the former one.
[[nodiscard]] WrittenIntegers writeIntegers(std::span<const IntegerSource> sources,
                                            const IntegerOptions& options, const std::string& path,
                                            const Progress& progress = {});

}  // namespace calibscope::deploy
