#pragma once

#include "core/dump/hdf5/library.h"

#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// A group, a dataset, or something that would have been one if it could be reached.
struct FoundObject
{
    std::string path;
    std::string unreachable;  ///< why, as a sentence; empty: it can
    bool isGroup = false;
};

/// All groups but the root and all datasets of a file, group by group in their creation order where
/// the file keeps one, else by name. Each object comes once, under the first path that leads to it,
/// so that cycles end. Links that lead nowhere, into another file (these are not followed) or to an
/// object that can't be read are listed with the reason. Call under the Lock.
[[nodiscard]] std::vector<FoundObject> walk(hid_t file);

/// Link access properties that keep the library from following links into other files.
[[nodiscard]] Handle withinFile();

}  // namespace calibscope::hdf5
