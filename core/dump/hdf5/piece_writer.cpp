// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/piece_writer.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <utility>

namespace calibscope::hdf5 {

PieceWriter::PieceWriter(const NewFile& file, hid_t dataset, std::vector<hsize_t> shape, hid_t type)
    : m_file(file),
      m_dataset(dataset),
      m_shape(std::move(shape)),
      m_type(type),
      m_missing(std::accumulate(m_shape.begin(), m_shape.end(), hsize_t{1}, std::multiplies{})),
      m_start(m_shape.size())
{}

/// A box with at most that many values, from where the last one ended, of as many whole rows as
/// there are: how many it has.
hsize_t PieceWriter::nextBox(hsize_t count)
{
    std::size_t axis = m_shape.size() - 1;
    hsize_t inner = 1;
    while (axis > 0 && m_start[axis] == 0 && inner * m_shape[axis] <= count)
        inner *= m_shape[axis--];
    const hsize_t rows = std::min(m_shape[axis] - m_start[axis], count / inner);
    m_first = m_start;
    m_lengths.assign(m_shape.size(), 1);
    std::copy(m_shape.begin() + std::ptrdiff_t(axis) + 1, m_shape.end(),
              m_lengths.begin() + std::ptrdiff_t(axis) + 1);
    m_lengths[axis] = rows;
    m_start[axis] += rows;
    for (; axis > 0 && m_start[axis] == m_shape[axis]; --axis) {
        m_start[axis] = 0;
        ++m_start[axis - 1];
    }
    return rows * inner;
}

void PieceWriter::write(const void* values, std::size_t count)
{
    assert(count <= m_missing);
    m_missing -= count;
    if (m_shape.empty() && count > 0)
        return m_file.write(m_dataset, m_type, values);
    const auto* next = static_cast<const std::byte*>(values);
    const std::size_t size = H5Tget_size(m_type);
    while (count > 0) {
        const hsize_t inBox = nextBox(count);
        const Handle place = m_file.checked(H5Dget_space(m_dataset), H5Sclose);
        const Handle memory = m_file.checked(H5Screate_simple(1, &inBox, nullptr), H5Sclose);
        m_file.require(H5Sselect_hyperslab(place.id(), H5S_SELECT_SET, m_first.data(), nullptr,
                                           m_lengths.data(), nullptr));
        m_file.require(H5Dwrite(m_dataset, m_type, memory.id(), place.id(), H5P_DEFAULT, next));
        next += static_cast<std::size_t>(inBox) * size;
        count -= static_cast<std::size_t>(inBox);
    }
}

}  // namespace calibscope::hdf5
