// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Requests to the engine's machine, which need not be the asker's: who answers there, and its
/// files.
namespace calibscope::protocol {

struct HelloRequest
{
    std::string version;  ///< of the program that asks
};

/// A setting of a calibrator, as its Parameter describes it.
struct OfferedParameter
{
    std::string id;
    std::string fallback;
    double least = 0.0;
    double greatest = 0.0;
    std::vector<std::string> words;
};

struct OfferedCalibrator
{
    std::string id;
    std::string title;
    std::vector<OfferedParameter> parameters;
};

/// Who answers, and what can be asked. Empty and 0: not known.
struct Hello
{
    std::string program;  ///< "calib"
    std::string version;
    std::uint64_t protocol = 0;
    std::string host;
    std::string user;
    std::string home;  ///< folder of the user
    std::uint64_t cores = 0;
    std::uint64_t memoryBytes = 0;  ///< of the machine
    std::vector<std::string> methods;
    std::vector<OfferedCalibrator> calibrators;
};

/// Contents of a folder.
struct FolderRequest
{
    std::string path;         ///< empty: the user's home
    std::uint64_t first = 0;  ///< place of the first entry that is wanted, of all
};

enum class EntryKind { File, Folder, Other };

struct FolderEntry
{
    std::string name;
    EntryKind kind = EntryKind::Other;  ///< a link is what it leads to
    std::uint64_t bytes = 0;            ///< of a file
    std::int64_t modifiedSeconds = 0;   ///< since 1970 in UTC
};

constexpr std::uint64_t folderPageEntries = 1000;

struct FolderPage
{
    std::string path;                  ///< absolute
    std::vector<FolderEntry> entries;  ///< by name; folderPageEntries at most
    std::uint64_t total = 0;           ///< entries of the folder
};

/// Which file lies there now.
struct IdentifyRequest
{
    std::string path;
};

struct IdentifiedFile
{
    std::optional<FileIdentity> identity;  ///< with the SHA-256 of its header; none: no file there
};

/// A file's SHA-256, for which all of it is read.
struct DigestRequest
{
    std::string path;
};

struct DigestedFile
{
    FileIdentity identity;  ///< with its SHA-256
};

}  // namespace calibscope::protocol
