// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace calibscope::structure {

/// A dataset of which its header says all that is listed: integers or floats in one piece, all of
/// them in the file, without filters, fill value and shared messages, at least one of them, and
/// with attributes whose values are known.
struct PlainDataset
{
    std::string type;  ///< its datatype message
    std::vector<std::uint64_t> shape;
    Attributes attributes;
};

/// By the addresses of their headers.
using PlainDatasets = std::unordered_map<std::uint64_t, PlainDataset>;

}  // namespace calibscope::structure
