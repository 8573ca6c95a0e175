// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/hdf5/library.h"
#include "core/tensor/unreadable.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace calibscope::hdf5 {

/// Files that a dump points to: its links, its values or parts of its virtual datasets may lie in
/// them. They are read only where that was allowed, and looked for in the dump's folder.
class OtherFiles
{
public:
    /// Call under the Lock.
    OtherFiles(const std::string& dumpPath, bool areAllowed);
    OtherFiles(const OtherFiles&) = delete;  // the library knows where it is
    OtherFiles& operator=(const OtherFiles&) = delete;
    ~OtherFiles() = default;

    [[nodiscard]] bool areAllowed() const { return m_areAllowed; }

    /// Access properties with which datasets, and objects by links, of the dump are to be opened:
    /// they keep the library from following links into other files, or tell it where those are.
    [[nodiscard]] hid_t access() const { return m_access.id(); }

    /// The regular file that a name in the dump means: an absolute path, or one from the dump's
    /// folder; where an absolute path leads nowhere, that file name in the dump's folder. Nothing
    /// if there is none.
    [[nodiscard]] std::optional<std::string> find(const std::string& name) const;

    /// Why a file that this one leads to must not be given to the library: it is damaged somewhere,
    /// as a sentence that names it. Empty: it may. Each file is looked at once.
    [[nodiscard]] std::string damageOf(const std::string& path) const;

    /// Whether a file lies in the dump's folder, and is not a link to one elsewhere.
    [[nodiscard]] bool isBesideDump(const std::string& path) const;

    /// A link into another file at which the library was stopped.
    struct RefusedLink
    {
        std::string file;
        std::string object;
    };
    /// The one that it met since this was asked for last. Call under the Lock.
    [[nodiscard]] std::optional<RefusedLink> takeRefused() const;

private:
    std::filesystem::path m_folder;
    bool m_areAllowed;
    struct Followed
    {
        const OtherFiles* files = nullptr;
        std::optional<RefusedLink> refused;
        std::map<std::string, std::string> damage;  ///< by path
    };
    static herr_t follow(const char* parentFile, const char* parentGroup, const char* file,
                         const char* object, unsigned* flags, hid_t fileAccess, void* followed);
    std::unique_ptr<Followed> m_followed;  ///< at an address that the library keeps
    Handle m_access;
};

/// Why values that lie in another file, which the sentence names, are not read.
[[nodiscard]] Unreadable onlyIfAllowed(const std::string& sentence);

/// Access properties of files: whoever locks a file on a shared file system must not keep others
/// from reading it, nor fail where locks do not work; and what the library remembers of a file's
/// structure stays small. Call under the Lock.
[[nodiscard]] Handle fileAccess();

}  // namespace calibscope::hdf5
