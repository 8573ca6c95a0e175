// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace calibscope {

struct ContainerFormat;

/// What a file really is that is not an HDF5 file, and what would work instead, as "an empty file; ..."
/// to follow a path and "is". Judged by its first bytes, and its name where those leave a choice.
[[nodiscard]] std::string otherFormat(std::string_view firstBytes, std::string_view path);

/// The container format that recognises the file; HDF5 where none does, or where it can't be read:
/// opening it reports why.
[[nodiscard]] const ContainerFormat& formatOf(const std::string& path);

/// Looks at a file before the HDF5 library does: it must exist, be a regular file, be readable,
/// begin as HDF5 and be as long as its superblock tells, or be of another container format. Throws
/// Error(Input) with a sentence that says which of these fails and what to do. Without SHA-256.
[[nodiscard]] FileIdentity checkedIdentity(const std::string& path);

/// The same of a file whose values lie in others, too: of another stamp when any of these is
/// another or gone.
[[nodiscard]] FileIdentity checkedIdentity(const std::string& path,
                                           std::span<const std::string> others);

/// What tells one state of a file from every other, as FileIdentity::stamp: of the file that is
/// open under that descriptor. Empty where the system can't tell.
[[nodiscard]] std::string stampOf(int descriptor);

/// How long that file is now; 0 where the system can't tell.
[[nodiscard]] std::uint64_t bytesOf(int descriptor);

/// The part of a stamp that names the file, in whichever state: device and inode.
[[nodiscard]] std::string_view fileOf(std::string_view stamp);
/// Whether stamps are of one file, in whichever states.
[[nodiscard]] bool isSameFile(std::string_view stamp, std::string_view otherStamp);

/// What a superblock tells (HDF5 File Format Specification, II.A).
struct Superblock
{
    std::uint64_t address = 0;               ///< in the file; behind the user block if there is one
    std::optional<std::uint64_t> endOfFile;  ///< absent: broken off, or of an unknown version
    bool breaksOff = false;                  ///< the bytes end within it
};

/// The superblock in a file's first bytes: at 0, 512, 1024, ... doubling. Nothing if there is none.
[[nodiscard]] std::optional<Superblock> findSuperblock(std::string_view firstBytes);

}  // namespace calibscope
