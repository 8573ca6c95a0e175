// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace onnx {
class TensorProto;
}

namespace calibscope::model {

/// Where a tensor's bytes lie beside the model.
struct ExternalPlace
{
    std::string file;  ///< without links
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length;  ///< none: what the tensor's shape needs
};

/// Whether its elements are in another file.
[[nodiscard]] bool isExternal(const ::onnx::TensorProto& tensor);

/// Where the bytes of a tensor that isExternal() are. Throws Error(Input), "... refers to a file
/// outside of its folder", for a location that is absolute, has "..", or leads out of the folder of
/// the model through a symbolic link; likewise a sentence for one that is empty, and for an offset
/// or length that is not a number. The file need not be there. `modelPath` names the model.
[[nodiscard]] ExternalPlace externalPlace(const ::onnx::TensorProto& tensor,
                                          const std::string& modelPath);

/// The same of any tensor whose bytes lie in a file as they are: of an outlinedModel(), too, whose
/// segments lie in the model's own. Nothing where its bytes are in the message.
[[nodiscard]] std::optional<ExternalPlace> placeInFile(const ::onnx::TensorProto& tensor,
                                                       const std::string& modelPath);

/// Throws Error(Input) where the place tells another length than what is needed.
void requireLength(const ExternalPlace& place, std::uint64_t bytes, const std::string& who);

/// `bytes` bytes from there. Throws Error(Input) where it is not a regular file, ends before them, or
/// the place has another length; `who` begins the sentence.
[[nodiscard]] std::string readExternal(const ExternalPlace& place, std::uint64_t bytes,
                                       const std::string& who);

/// How many bytes of another file such a tensor has: what its shape and type need, or where the
/// type has no known size, the length that it tells. Throws Error(Input) where there is neither.
[[nodiscard]] std::uint64_t externalLength(const ::onnx::TensorProto& tensor,
                                           const std::string& modelPath);

/// All its bytes, of whatever type. Throws as externalPlace(), readExternal(), externalLength().
[[nodiscard]] std::string externalBytes(const ::onnx::TensorProto& tensor,
                                        const std::string& modelPath);

}  // namespace calibscope::model
