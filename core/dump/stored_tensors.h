// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/container.h"
#include "core/dump/element_locations.h"
#include "core/dump/file_facts.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace calibscope {

/// Datasets whose elements lie in files as they are, without attributes: what they are follows from
/// their names and shapes.
struct StoredTensors
{
    std::string_view rule;   ///< id of the container, as TensorInfo::layoutRule
    std::string_view title;  ///< of that rule
    std::uint64_t memoryBytes = 0;
    bool mergeNumbered = false;  ///< numbered datasets may be batches of one tensor
    FileFacts contents = {};     ///< their paths differ
    std::vector<ElementLocation> locations =
        {};  ///< of the datasets; of unreadable ones never read
    std::vector<ElementFile> files = {};
};

/// Lists them in the order of the datasets, in addition to what `made` has already: identity, attributes,
/// warnings.
[[nodiscard]] Container containerOf(StoredTensors stored, Container made);

/// Whether a name from a file can be listed: it is not empty, valid UTF-8 without NUL, and at most
/// 32 KiB long.
[[nodiscard]] bool isListableName(std::string_view name);

}  // namespace calibscope
