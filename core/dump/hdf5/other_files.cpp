#include "core/dump/hdf5/other_files.h"

#include "core/dump/hdf5/file_driver.h"

#include <system_error>
#include <utility>

namespace calibscope::hdf5 {

namespace {

namespace fs = std::filesystem;

herr_t refuse(const char* /*parentFile*/, const char* /*parentGroup*/, const char* file,
              const char* object, unsigned* /*flags*/, hid_t /*fileAccess*/, void* refused)
{
    *static_cast<std::optional<OtherFiles::RefusedLink>*>(refused) = OtherFiles::RefusedLink{
        .file = file == nullptr ? "" : file, .object = object == nullptr ? "" : object};
    return -1;
}

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

OtherFiles::OtherFiles(const std::string& dumpPath, bool areAllowed)
    : m_folder(folderOf(dumpPath)),
      m_areAllowed(areAllowed),
      m_refused(std::make_unique<std::optional<RefusedLink>>()),
      m_access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose)
{
    const std::string folder = m_folder.string();
    // Needed also where a virtual dataset calls its own file by its name.
    H5Pset_virtual_prefix(m_access.id(), folder.c_str());
    if (!areAllowed) {
        H5Pset_elink_cb(m_access.id(), refuse, m_refused.get());
        return;
    }
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
    return std::exchange(*m_refused, std::nullopt);
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
