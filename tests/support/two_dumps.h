// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/h5_file.h"

#include <cmath>
#include <string>
#include <vector>

namespace calibscope::test {

/// Half of a bell by rank, so that it is the same everywhere: 2048 values, each tensor with a
/// spread of its own.
inline std::vector<float> recordedValues(float spread)
{
    std::vector<float> values;
    for (int index = 0; index < 2048; ++index) {
        const double rank = (index + 0.5) / 2048.0;
        values.push_back(spread * static_cast<float>(-std::log(1.0 - rank) * (index % 2 ? -1 : 1)));
    }
    return values;
}

/// Two recordings of a small model: B is a copy of A, but for "conv2", whose values are twice as
/// large, and "gone", which is missing.
struct TwoDumps
{
    H5File a;
    H5File b;

    TwoDumps()
    {
        const std::vector<std::pair<std::string, float>> spreads = {
            {"conv1", 0.5F}, {"conv2", 1.0F}, {"conv3", 2.0F}, {"gone", 0.25F}, {"out", 4.0F}};
        for (const auto& [name, spread] : spreads) {
            const std::string path = "/activations/" + name;
            a.write(path, {8, 256}, recordedValues(spread));
            if (name != "gone")
                b.write(path, {8, 256}, recordedValues(name == "conv2" ? 2.0F * spread : spread));
        }
    }
};

}  // namespace calibscope::test
