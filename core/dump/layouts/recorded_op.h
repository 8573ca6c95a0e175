// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/layouts/recorded_axes.h"
#include "core/tensor/tensor_info.h"

namespace calibscope::layouts {

/// A recorder's facts of the graph: `graph_name`, `node`, `consumer`, `output_index`, `samples`,
/// `op_attributes` (the text of a JSON object), and the geometry of the layer under the names that
/// ONNX gives its attributes. What is missing or odd is passed over with a warning.
void readOp(AttributeReader& attributes, TensorInfo& info);

}  // namespace calibscope::layouts
