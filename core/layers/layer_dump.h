// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dump_file.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::layers {

/// A dump as its layers are computed from it: its tensors, as they are to be understood, and their
/// values. What it was made from must outlive it.
class LayerDump
{
public:
    using Source =
        std::function<ValueSource(const TensorInfo& understood, std::uint64_t firstBatches)>;

    /// As the file says.
    LayerDump(const DumpFile& file)
        : LayerDump(file.identity().path, file.tensors(),
                    [&file](const TensorInfo& understood, std::uint64_t firstBatches) {
                        return file.source(understood, firstBatches);
                    })
    {}
    LayerDump(std::string path, const std::vector<TensorInfo>& tensors, Source source)
        : m_path(std::move(path)), m_tensors(&tensors), m_source(std::move(source))
    {}

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return *m_tensors; }
    /// As DumpFile::source().
    [[nodiscard]] ValueSource source(const TensorInfo& understood,
                                     std::uint64_t firstBatches = 0) const
    {
        return m_source(understood, firstBatches);
    }

private:
    std::string m_path;
    const std::vector<TensorInfo>* m_tensors;
    Source m_source;
};

}  // namespace calibscope::layers
