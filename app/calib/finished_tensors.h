// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/kept_parts.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace calibscope::cli {

/// What came of a tensor: its profile as bytes, or why it is left out.
struct ProfileAnswer
{
    std::string bytes = {};
    std::string problem = {};
};

/// Profiles of tensors in a folder, until all are there and the whole can be written: what a run
/// that was stopped leaves to the next one.
class FinishedTensors
{
public:
    /// `key` tells files and options. Throws as KeptParts.
    FinishedTensors(const std::string& folder, const std::string& key);

    /// Those of `count` tensors that a former run has finished; what could not be read, or what is
    /// damaged, is tried again.
    [[nodiscard]] std::vector<std::size_t> finished(std::size_t count) const;
    void put(std::size_t tensor, const ProfileAnswer& answer);
    /// The tensor's part, of this run or a former one. Throws Error(Input) if it is gone.
    [[nodiscard]] ProfileAnswer take(std::size_t tensor) const;
    /// Removes its files, but neither the folder nor what else lies in it.
    static void clear(const std::string& folder);

    /// Paths of tensors at which readers have crashed, as noteCrash() told them.
    [[nodiscard]] static std::set<std::string> crashedIn(const std::string& folder);
    static void noteCrash(const std::string& folder, const std::string& file,
                          const std::string& path);
    /// Whether a run that was stopped has left something that can be gone on with.
    [[nodiscard]] static bool isWorthResuming(const std::string& folder);

private:
    KeptParts m_parts;
};

}  // namespace calibscope::cli
