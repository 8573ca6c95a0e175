// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/profile_files.h"

#include <cstddef>

namespace calibscope::cli {

/// Which of N equal shares of the work is meant, counted from 1.
struct WorkShare
{
    std::size_t index = 1;
    std::size_t count = 1;
};

/// "3/64"; empty: all. Throws Error(Usage) for anything else.
[[nodiscard]] WorkShare parsedShare(const std::string& text);

/// A step of a profile, or all of them, through a folder: what a step leaves there the next one
/// reads, and what is there already is not made again. The exit code.
[[nodiscard]] int runSteps(const ProfileOptions& options, const Reading& reading);

}  // namespace calibscope::cli
