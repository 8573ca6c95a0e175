// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

namespace calibscope {

/// Takes the attributes `values_sha256`, `values_count`, `values_min` and `values_max` into the
/// facts of a dataset whose shape and attributes are known. One that is not understood becomes a
/// doubt; a count that contradicts the shape makes the values unreadable.
void takeRecordedDigest(DatasetFacts& facts);

}  // namespace calibscope
