// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// Whether the model holds together: it has a graph and an opset; in every graph each name is made
/// once (input, initializer, or a node's output; an initializer may be an input, too), no node of a
/// nested graph makes what the graphs around have made before it, and whatever a node takes or a
/// graph gives is made before, there or in a graph around. Returns the first fault as a sentence
/// without the file's name; empty: there is none. What the ops do is not looked at.
[[nodiscard]] std::string faultOf(const ::onnx::ModelProto& model);

}  // namespace calibscope::model
