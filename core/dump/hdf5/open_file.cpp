#include "core/dump/hdf5/open_file.h"

#include "core/base/error.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/lzf_filter.h"
#include "core/dump/hdf5/read_attributes.h"
#include "core/dump/hdf5/read_facts.h"
#include "core/dump/hdf5/walk.h"

#include <utility>

namespace calibscope::hdf5 {

namespace {

/// Whoever locks a file on a shared file system must not keep others from reading it, nor fail
/// where locks do not work.
Handle withoutLocking()
{
    Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(properties.id(), false, true);
    return properties;
}

std::string openingFailed(const std::string& path, const std::string& reason)
{
    const bool isLeftOpen = reason.find("h5clear") != std::string::npos;
    return path + ": cannot be opened as HDF5 (" + reason + "); " +
           (isLeftOpen
                ? "its writer did not close it: if none is running, mend a copy with h5clear -s"
                : "the file is damaged, copy or record it again");
}

void addGroup(FileFacts& contents, hid_t file, const std::string& path)
{
    const Handle linkAccess = withinFile();
    const Handle group(H5Oopen(file, path.c_str(), linkAccess.id()), H5Oclose);
    Attributes attributes = group.isValid() ? readAttributes(group.id()) : Attributes{};
    if (!attributes.empty())
        contents.groups[path] = std::move(attributes);
}

}  // namespace

std::shared_ptr<const OpenFile> openFile(const std::string& path)
{
    FileIdentity identity = checkedIdentity(path);
    const Lock lock;
    registerLzf();
    const Handle access = withoutLocking();
    Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (!handle.isValid())
        throw Error(Fault::Input, openingFailed(path, lastReason()));
    return std::make_shared<const OpenFile>(
        OpenFile{.identity = std::move(identity), .handle = std::move(handle)});
}

FileFacts readContents(const OpenFile& file, std::uint64_t memoryBytes)
{
    const Lock lock;
    FileFacts contents;
    const Handle root(H5Gopen2(file.handle.id(), "/", H5P_DEFAULT), H5Gclose);
    if (root.isValid())
        contents.attributes = readAttributes(root.id());
    for (const FoundObject& object : walk(file.handle.id())) {
        if (object.isGroup) {
            addGroup(contents, file.handle.id(), object.path);
        } else if (object.unreachable.empty()) {
            contents.datasets.push_back(
                readFacts(file.handle.id(), object.path, file.identity.bytes, memoryBytes));
        } else {
            contents.datasets.emplace_back().path = object.path;
            contents.datasets.back().unreadable = object.unreachable;
        }
    }
    return contents;
}

}  // namespace calibscope::hdf5
