// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/dump/structure/check_structure.h"

#include <hdf5.h>

#include <string>
#include <vector>

namespace calibscope::hdf5 {

struct ReadAttributes
{
    Attributes values;
    std::vector<std::string> warnings;  ///< of those that are left out, as sentences
};

/// The attributes of an object. One that can't be read, or is larger than 1 MiB, has no value; none
/// makes this fail. Those that the findings on the object's file say are damaged are left out;
/// null: there are none. Call under the Lock.
[[nodiscard]] ReadAttributes readAttributes(hid_t object, const structure::Findings* findings);

/// The same where all values are known.
[[nodiscard]] ReadAttributes attributesWith(Attributes values);

}  // namespace calibscope::hdf5
