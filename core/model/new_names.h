// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// Names for what is added to a model.
class NewNames
{
public:
    /// Those of all tensors and nodes in all its graphs are taken.
    explicit NewNames(const ::onnx::ModelProto& model);

    /// The name, or where it is taken the same with _2, _3, ...; taken from then on. However often
    /// a name is asked for, and whatever the model has: steps as many as names on both sides.
    [[nodiscard]] std::string take(const std::string& wanted);

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_next;  ///< number to try, of names that were taken
};

}  // namespace calibscope::model
