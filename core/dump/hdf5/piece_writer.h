// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/hdf5/new_file.h"

#include <cstddef>
#include <vector>

namespace calibscope::hdf5 {

/// Fills a dataset of a new file with its values in row-major order, in pieces of any length. To be
/// called under the Lock; failures are those of NewFile.
class PieceWriter
{
public:
    /// `shape`: the dataset's, empty for a scalar. `type`: of the values in memory.
    PieceWriter(const NewFile& file, hid_t dataset, std::vector<hsize_t> shape, hid_t type);

    /// The next `count` values; requires that so many are missing.
    void write(const void* values, std::size_t count);
    /// All values were written.
    [[nodiscard]] bool isFull() const { return m_missing == 0; }

private:
    hsize_t nextBox(hsize_t count);

    const NewFile& m_file;
    hid_t m_dataset;
    std::vector<hsize_t> m_shape;
    hid_t m_type;
    hsize_t m_missing;
    std::vector<hsize_t> m_start;  ///< of the next value
    std::vector<hsize_t> m_first;  ///< of the box
    std::vector<hsize_t> m_lengths;
};

}  // namespace calibscope::hdf5
