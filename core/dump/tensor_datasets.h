#pragma once

#include "core/dump/dataset_facts.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace calibscope {

/// What may be a tensor: a dataset, or numbered ones whose values follow each other along axis 0.
struct TensorDatasets
{
    DatasetFacts facts;  ///< of several: the path of what holds them, and their shape as a whole
    std::vector<std::size_t> datasets;  ///< in FileFacts::datasets, in the order of their values
    std::uint64_t partLength = 0;       ///< of several: the length of one along axis 0
    std::vector<std::string> evidence;  ///< why they are several or one, as sentences

    [[nodiscard]] bool isMerged() const { return datasets.size() > 1; }
};

}  // namespace calibscope
