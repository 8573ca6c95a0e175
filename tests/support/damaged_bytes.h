// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <functional>
#include <random>
#include <string>

namespace calibscope::test {

/// Gives `read` bytes that are cut or have one wrong byte, `rounds` times. How many it refused,
/// each with a sentence that begins with `sentence`.
inline int refusals(const std::string& bytes, int rounds, const std::string& sentence,
                    const std::function<void(const std::string&)>& read)
{
    std::mt19937 engine(5);
    int refused = 0;
    for (int round = 0; round < rounds; ++round) {
        std::string damaged = bytes;
        if (round % 3 == 0)
            damaged.resize(engine() % damaged.size());
        else
            damaged[engine() % damaged.size()] = static_cast<char>(engine());
        try {
            read(damaged);
        } catch (const Error& error) {
            ++refused;
            CHECK(std::string(error.what()).starts_with(sentence));
        }
    }
    return refused;
}

}  // namespace calibscope::test
