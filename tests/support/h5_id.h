// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <vector>

namespace calibscope::test {

/// Closes an identifier with its scope; fails the test where a call failed.
class Id
{
public:
    Id(hid_t id, herr_t (*close)(hid_t)) : m_id(id), m_close(close)
    {
        if (id < 0)
            throw std::runtime_error("HDF5 could not write the test file");
    }
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    ~Id() { m_close(m_id); }
    operator hid_t() const { return m_id; }

private:
    hid_t m_id;
    herr_t (*m_close)(hid_t);
};

inline void check(herr_t result)
{
    if (result < 0)
        throw std::runtime_error("HDF5 could not write the test file");
}

/// In newer releases of HDF5 a length is another type of as many bits.
inline std::vector<hsize_t> lengthsOf(const std::vector<unsigned long long>& shape)
{
    return {shape.begin(), shape.end()};
}

}  // namespace calibscope::test
