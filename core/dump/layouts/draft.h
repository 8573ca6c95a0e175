// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/layout.h"
#include "core/dump/layouts/shape_survey.h"

#include <string>
#include <string_view>

namespace calibscope::layouts {

/// A layout in the making: what is resolved, and what is still to be found out.
struct Draft
{
    Understood understood;
    bool hasRole = false;
    bool hasBatches = false;
    bool hasChannels = false;

    TensorInfo& info() { return understood.info; }
    /// Adds a sentence, with the rule that said so behind it.
    void because(const std::string& sentence, std::string_view rule);
};

/// A draft of which only the file's own facts are known; its name is nameOf() the path.
[[nodiscard]] Draft draftOf(const TensorDatasets& datasets, std::string_view rule);

/// Whether a weight is a bias: a vector, or a scalar, of which that word of its path is "bias",
/// "biases" or ends in "_bias", in any case.
[[nodiscard]] bool isBias(const TensorInfo& tensor, std::string_view word);

/// Takes the role from the words of the path, if it is not resolved and they tell.
void takeRoleFromWords(Draft& draft);

/// Resolves what is open by rank and lengths, and marks what is ambiguous as a guess:
/// activations have their samples along axis 0 and their channels along axis 1, but tokens (rank 3)
/// along the last one; weights of PyTorch have their output channels along axis 0, kernels of Keras
/// along the last one. Vectors have one scale as a whole.
void takeAxesFromShape(Draft& draft, const ShapeSurvey& survey);

/// The survey of all datasets of a file, which must stay.
[[nodiscard]] ShapeSurvey surveyOf(const FileFacts& file);

}  // namespace calibscope::layouts
