// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/join.h"

#include <array>
#include <string>
#include <string_view>

namespace calibscope {

/// A kind of file that tensors are read from, for dialogs and sentences. Its reader, which
/// recognises it by its bytes, is the ContainerFormat of that id in core/dump/containers.
struct ContainerKind
{
    std::string_view id;
    std::string_view title;     ///< with its article
    std::string_view patterns;  ///< of its files' names, separated by spaces
};

inline constexpr std::array containerKinds{
    ContainerKind{"hdf5", "an HDF5 file", "*.h5 *.hdf5 *.he5 *.keras"},
    ContainerKind{"onnx-model", "an ONNX model", "*.onnx"},
    ContainerKind{"safetensors", "a safetensors file", "*.safetensors *.safetensors.index.json"},
    ContainerKind{"gguf", "a GGUF model", "*.gguf"},
    ContainerKind{"imatrix", "an importance matrix of llama.cpp", "*.dat"},
    ContainerKind{"numpy", "NumPy arrays (.npy, .npz, a folder of .npy)", "*.npy *.npz"},
    ContainerKind{"raw", "raw values (.raw, a folder of .raw)", "*.raw"},
    ContainerKind{"dump-list", "a list of dumps", "*.dumplist"},
};

/// "*.h5 *.hdf5 *.he5 *.keras *.onnx": the names of all kinds, as a filter for a file dialog.
[[nodiscard]] inline std::string containerPatterns()
{
    return joinedText(containerKinds, " ", &ContainerKind::patterns);
}

/// "an HDF5 file or an ONNX model".
[[nodiscard]] inline std::string containerTitles()
{
    std::string text;
    for (const ContainerKind& kind : containerKinds) {
        if (!text.empty())
            text += &kind == &containerKinds.back() ? " or " : ", ";
        text += kind.title;
    }
    return text;
}

}  // namespace calibscope
