// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/graph_index.h"
#include "core/model/graph_tensors.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::model {

/// The constants of a model by their tensors in the index.
class IndexedConstants
{
public:
    /// `path` names the model, in whose folder external data lies.
    IndexedConstants(const GraphIndex& index, const ::onnx::ModelProto& model, std::string path);

    /// Facts of a constant; null for a tensor that is none.
    [[nodiscard]] const GraphTensor* find(std::size_t tensor) const;
    /// Its values. Throws Error(Input) where they can't be read.
    [[nodiscard]] std::vector<float> values(std::size_t tensor) const;

private:
    std::string m_path;
    GraphTensors m_list;
    std::vector<std::optional<std::size_t>> m_places;  ///< in the list, by tensor of the index
};

}  // namespace calibscope::model
