// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::test {

/// An activation of which everything but name and shape was guessed.
inline TensorInfo guessedTensor(const std::string& name, std::vector<std::uint64_t> shape)
{
    return {.name = name,
            .path = "/" + name,
            .role = Role::Activation,
            .elementType = ElementKind::Uint16,
            .otherTypes = {ElementKind::Bfloat16},
            .shape = std::move(shape),
            .batchAxis = 0,
            .channelAxis = 1,
            .layoutRule = "shapes",
            .isGuess = true};
}

}  // namespace calibscope::test
