// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spread/profile_index.h"
#include "core/spread/stored_profile.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace calibscope {

class DumpFile;
struct Container;

/// A profile (calib profile) seen as a dump: its tensors without their values.
class ProfileDump
{
public:
    static constexpr std::string_view format = "calibration-profile";
    static constexpr std::string_view version = "3";
    static constexpr std::string_view indexPlace = "/index";
    /// Where the profile of a tensor lies in the file.
    [[nodiscard]] static std::string placeOf(std::size_t tensor);
    /// Whether these are the attributes of a profile's root.
    [[nodiscard]] static bool isOne(const std::map<std::string, std::string>& attributes);

    /// Reads the index. `file` is the same file with its datasets as they are. Throws Error(Input),
    /// a sentence with the path, for one that is damaged or of another version.
    [[nodiscard]] static std::shared_ptr<const ProfileDump>
    open(std::shared_ptr<const DumpFile> file);

    [[nodiscard]] const DumpFile& file() const { return *m_file; }
    [[nodiscard]] const spread::ProfileIndex& index() const { return m_index; }
    /// A tensor's profile. Throws Error(Input) for a damaged one.
    [[nodiscard]] spread::StoredProfile stored(std::size_t tensor) const;

private:
    ProfileDump(std::shared_ptr<const DumpFile> file, spread::ProfileIndex index);

    std::shared_ptr<const DumpFile> m_file;
    spread::ProfileIndex m_index;
};

/// A profile as a container: its tensors, whose visits throw NoValues. A source throws Error(Usage)
/// where the tensor is to be understood otherwise than when the profile was made.
[[nodiscard]] Container profileContainer(std::shared_ptr<const DumpFile> file);

}  // namespace calibscope
