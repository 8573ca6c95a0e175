// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/other_files.h"

#include "core/base/error.h"
#include "core/dump/hdf5/file_driver.h"
#include "core/dump/structure/check_structure.h"

#include <system_error>
#include <utility>

namespace calibscope::hdf5 {

namespace {

namespace fs = std::filesystem;

fs::path folderOf(const std::string& path)
{
    std::error_code ignored;
    const fs::path absolute = fs::absolute(path, ignored);
    return absolute.parent_path();
}

std::optional<std::string> regularFile(const fs::path& path)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored))
        return std::nullopt;
    return path.string();
}

}  // namespace

/// The library calls this before it follows a link into another file.
herr_t OtherFiles::follow(const char* /*parentFile*/, const char* /*parentGroup*/, const char* file,
                          const char* object, unsigned* /*flags*/, hid_t /*fileAccess*/,
                          void* followed)
{
    try {
        auto& state = *static_cast<Followed*>(followed);
        const std::string name = file == nullptr ? "" : file;
        if (!state.files->areAllowed()) {
            state.refused = {.file = name, .object = object == nullptr ? "" : object};
            return -1;
        }
        const std::optional<std::string> path = state.files->find(name);
        return path && state.files->damageOf(*path).empty() ? 0 : -1;
    } catch (...) {  // the library is C
        return -1;
    }
}

OtherFiles::OtherFiles(const std::string& dumpPath, bool areAllowed)
    : m_folder(folderOf(dumpPath)),
      m_areAllowed(areAllowed),
      m_followed(std::make_unique<Followed>()),
      m_access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose)
{
    const std::string folder = m_folder.string();
    // Needed also where a virtual dataset calls its own file by its name.
    H5Pset_virtual_prefix(m_access.id(), folder.c_str());
    m_followed->files = this;
    H5Pset_elink_cb(m_access.id(), follow, m_followed.get());
    if (!areAllowed)
        return;
    const Handle files = fileAccess();
    H5Pset_elink_prefix(m_access.id(), folder.c_str());
    H5Pset_elink_fapl(m_access.id(), files.id());
    H5Pset_efile_prefix(m_access.id(), folder.c_str());
}

std::optional<std::string> OtherFiles::find(const std::string& name) const
{
    const fs::path path(name);
    if (auto found = regularFile(m_folder / path))  // an absolute path stays what it is
        return found;
    return path.is_absolute() ? regularFile(m_folder / path.filename()) : std::nullopt;
}

bool OtherFiles::isBesideDump(const std::string& path) const
{
    std::error_code unknown;
    const fs::path folder = fs::canonical(path, unknown).parent_path();
    return !unknown && folder == fs::canonical(m_folder, unknown) && !unknown;
}

std::optional<OtherFiles::RefusedLink> OtherFiles::takeRefused() const
{
    return std::exchange(m_followed->refused, std::nullopt);
}

std::string OtherFiles::damageOf(const std::string& path) const
{
    std::map<std::string, std::string>& all = m_followed->damage;
    if (const auto known = all.find(path); known != all.end())
        return known->second;
    std::string damage;
    try {
        const std::string reason = structure::checkStructure(path).firstReason();
        if (!reason.empty())
            damage = path + " is " + reason + "; copy or record it again";
    } catch (const Error& error) {
        damage = error.what();
    }
    return all.emplace(path, std::move(damage)).first->second;
}

Unreadable onlyIfAllowed(const std::string& sentence)
{
    return {Unreadable::Reason::OtherFile,
            sentence + "; other files are read only with --allow-external"};
}

Handle fileAccess()
{
    Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    useOwnDriver(properties.id());
    H5Pset_file_locking(properties.id(), false, true);
    H5AC_cache_config_t cache{};
    cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    if (H5Pget_mdc_config(properties.id(), &cache) >= 0) {
        // The size counts bytes in the file; in memory they take some ten times as much.
        cache.set_initial_size = true;
        cache.initial_size = std::size_t{1} << 20;
        cache.min_size = std::size_t{1} << 19;
        cache.max_size = std::size_t{2} << 20;
        H5Pset_mdc_config(properties.id(), &cache);
    }
    return properties;
}

}  // namespace calibscope::hdf5
