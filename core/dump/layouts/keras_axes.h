// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/layouts/draft.h"

#include <string>
#include <string_view>

namespace calibscope::layouts {

/// A variable of a Keras layer.
struct KerasVariable
{
    std::string layer;  ///< its class or name: "conv2d_transpose_1"; "vgg16/conv1" if nested
    std::string name;   ///< "depthwise_kernel"; empty where only its number is known
    int number = 0;     ///< among the variables of its layer
};

/// Makes the draft a weight, with the axis of the output channels as Keras lays its kernels out:
/// the last one (height x width x inputs x outputs, inputs x outputs), but the last but one of
/// depthwise and transposed kernels, and axis 0 of embeddings. Vectors have none.
void takeKerasAxes(Draft& draft, const KerasVariable& variable, std::string_view rule);

/// Lists what belongs to the training without reading it: `what` is "the optimizer's state".
void setApart(Draft& draft, const std::string& what, std::string_view rule);

}  // namespace calibscope::layouts
