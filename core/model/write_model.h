// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

struct WriteOptions
{
    /// Models with more bytes keep their initializers in another file.
    std::uint64_t mostInside = std::uint64_t{1} << 30U;
};

struct WrittenModel
{
    std::string data;         ///< the file beside the model that holds its weights; empty: none
    std::uint64_t bytes = 0;  ///< of both
};

/// Writes the model, which was made of that in `source`, with all its values: what lies in other
/// files beside `source` is taken inside, or where more than `mostInside` bytes come together, all
/// initializers of a KiB and more go into `path` + ".data". What was written is parsed again and
/// must hold together (faultOf()), then the files get their names: whatever fails, there are the
/// former files or the new ones; where both a model and its data are replaced, for a moment no
/// model (the former one is then beside it, under a name of parts).
///
/// Throws Error(Usage) where a file to be written is `source` or holds data of it, by whatever
/// name; Error(Input) where data can't be read; Error(Output) where it can't be written, or the
/// model would not be valid. The model is of no use then.
WrittenModel writeModel(::onnx::ModelProto model, const std::string& path,
                        const std::string& source, const WriteOptions& options = {});

}  // namespace calibscope::model
