// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// Memory that reading a model may take: 2 GiB of weights, and as much again.
constexpr std::uint64_t mostModelMemory = std::uint64_t{4} << 30U;

/// The model in that file, with fields that this program does not know. Throws Error(Input), a
/// sentence with the path, for what can't be read, is not a regular file, no model, has no graph, more
/// than 2 GiB, messages nested too deep, or would take more than `mostMemory` bytes of memory.
[[nodiscard]] ::onnx::ModelProto parsedModel(const std::string& path,
                                             std::uint64_t mostMemory = mostModelMemory);

/// The same without the values of large tensors: those have a segment that tells the first byte in
/// the file and the first behind it. For a look at the model only: it must not be written.
[[nodiscard]] ::onnx::ModelProto outlinedModel(const std::string& path, std::uint64_t mostMemory);

/// Whether the file looks like an ONNX model: its outermost fields are those of one with a graph.
/// Costs nothing; false for what can't be read.
[[nodiscard]] bool isModel(const std::string& path);

}  // namespace calibscope::model
