// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace calibscope {

/// The file of a profile, P.h5: HDF5 with /index and a dataset of bytes for each tensor. Appears
/// under its name when it is whole; the same calls, the same bytes.
class ProfileWriter
{
public:
    /// `attributes` of the root, besides what marks it as a profile. Throws Error(Output).
    ProfileWriter(const std::string& path, const std::map<std::string, std::string>& attributes);
    ~ProfileWriter();
    ProfileWriter(const ProfileWriter&) = delete;
    ProfileWriter& operator=(const ProfileWriter&) = delete;

    /// The next tensor of the index, as spread::bytesOf() has it.
    void addTensor(std::string_view bytes);
    void finish(std::string_view index);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
