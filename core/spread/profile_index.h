// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::spread {

/// A file that a profile was made of.
struct ProfiledFile
{
    FileIdentity identity;
    std::optional<std::uint64_t> firstSample;  ///< of its recording, if the recorder told it
    bool holdsShards = false;                  ///< of any tensor it holds some channels alone
    /// Paths of the profile's tensors of which it holds some channels alone, with the first one.
    std::map<std::string, std::uint64_t> firstChannels;
    /// Of these, how many channels all files hold together, where the recorder told it.
    std::map<std::string, std::uint64_t> allChannels;
};

/// What a profile's file says of itself; the profiles of its tensors lie beside it.
struct ProfileIndex
{
    std::vector<ProfiledFile> files;  ///< in recorded order
    std::map<std::string, std::string> attributes;
    std::vector<std::string> warnings;  ///< what was left out and why, as sentences
    std::vector<TensorInfo> tensors;    ///< axes as in the files
};

[[nodiscard]] std::string bytesOf(const ProfileIndex& index);
/// The index again. Throws Error(Input), a sentence that begins with `where`, for damaged bytes.
[[nodiscard]] ProfileIndex profileIndexFrom(std::string_view bytes, const std::string& where);

}  // namespace calibscope::spread
