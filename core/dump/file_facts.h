// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <map>
#include <string>
#include <vector>

namespace calibscope {

/// A file's facts on itself, its groups and its datasets, before they are interpreted.
struct FileFacts
{
    Attributes attributes;                     ///< of the root
    std::map<std::string, Attributes> groups;  ///< by path, of the other groups that have any
    std::vector<DatasetFacts> datasets;        ///< in the file's order
    std::vector<std::string> warnings;         ///< "PATH: sentence", of the root and the groups
};

}  // namespace calibscope
