// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/file_facts.h"
#include "core/tensor/position_mask.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace calibscope {

/// Datasets that say which positions of others count, and what they say, read once each.
class DatasetMasks
{
public:
    /// Elements of a mask in row-major order, 0 or 1. Throws Error(Input).
    using Read = std::function<std::vector<std::uint8_t>(const DatasetFacts&)>;

    /// Takes the masks out of the file: those that a dataset names by the text of its attribute
    /// `mask`, a path from the root or from the dataset's group; else NAME.mask of booleans, int8
    /// or uint8 next to NAME.
    static DatasetMasks takenFrom(FileFacts& file, Read read);

    /// What counts of a tensor of these datasets, which follow each other along axis 0; no counts:
    /// all. Sets the info's mask, or makes it unreadable where a mask does not fit.
    [[nodiscard]] PositionMask of(TensorInfo& info,
                                  const std::vector<std::shared_ptr<const DatasetFacts>>& datasets);

private:
    using Flags = std::shared_ptr<const std::vector<std::uint8_t>>;
    [[nodiscard]] PositionMask of(const DatasetFacts& dataset);
    [[nodiscard]] Flags flagsOf(const DatasetFacts& mask);

    Read m_read;
    std::unordered_map<std::string, DatasetFacts> m_masks;  ///< by path
    std::unordered_map<std::string, std::string> m_named;   ///< path of the mask, by the dataset's
    std::unordered_map<std::string, Flags> m_flags;         ///< by path
};

}  // namespace calibscope
