// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/whole_file.h"
#include "core/dump/dataset_facts.h"
#include "core/dump/hdf5/library.h"

#include <memory>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// An HDF5 file in the making, which appears under its name when it is finished; whatever fails
/// before, there is the former file or none. The same calls make the same bytes.
///
/// All failures throw Error(Output) with the path and what the system or the library said. To be
/// called under the Lock.
class NewFile
{
public:
    explicit NewFile(const std::string& path);
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Fails with the library's last words if the status is negative.
    void require(herr_t status) const;
    /// The result of a call of the library, as a handle.
    [[nodiscard]] Handle checked(hid_t id, Handle::Close close) const;

    [[nodiscard]] Handle root() const;
    void addGroup(const std::string& path) const;
    /// A contiguous dataset; a scalar one without a shape.
    [[nodiscard]] Handle addDataset(const std::string& place, hid_t type,
                                    const std::vector<hsize_t>& shape) const;
    /// All values of a dataset.
    void write(hid_t dataset, hid_t type, const void* values) const;
    /// An attribute of that type and extent.
    void setAttribute(hid_t object, const std::string& name, hid_t type, const Handle& space,
                      const void* values) const;
    /// Attributes as layout rules read them.
    void setAttributes(hid_t object, const Attributes& all) const;
    /// Takes a dataset out; what it has taken of the file stays unused.
    void remove(const std::string& path) const;
    /// A type for UTF-8 texts of `size` bytes with the final 0, or H5T_VARIABLE.
    [[nodiscard]] Handle textType(std::size_t size) const;

    /// Puts the file into its place.
    void finish();

private:
    void setAttribute(hid_t object, const std::string& name, const AttributeValue& value) const;
    [[nodiscard]] Handle untimed(hid_t kind) const;
    [[noreturn]] void fail(const std::string& why) const;

    std::string m_path;
    std::unique_ptr<WholeFile> m_whole;  ///< outlives what is open of it
    Handle m_file;
};

}  // namespace calibscope::hdf5
