#include "core/dump/hdf5/open_file.h"

#include "core/base/error.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/file_driver.h"
#include "core/dump/hdf5/lzf_filter.h"
#include "core/dump/hdf5/other_filters.h"
#include "core/dump/hdf5/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace calibscope::hdf5 {

namespace {

std::string openingFailed(const std::string& path, const std::string& reason)
{
    const bool isLeftOpen = reason.find("h5clear") != std::string::npos;
    return path + ": cannot be opened as HDF5 (" + reason + "); " +
           (isLeftOpen
                ? "its writer did not close it: if none is running, mend a copy with h5clear -s"
                : "the file is damaged, copy or record it again");
}

/// Links that lead to a dataset beside the one under which it is listed. Those from what the model
/// was fed are none of them: an activation is linked there so that it is not stored twice.
std::vector<std::string> furtherPaths(const DatasetFacts& facts)
{
    std::vector<std::string> paths{facts.path};
    paths.insert(paths.end(), facts.otherPaths.begin(), facts.otherPaths.end());
    std::erase_if(paths, [](const std::string& path) { return path.starts_with("/feeds/"); });
    if (!paths.empty())
        paths.erase(paths.begin());
    return paths;
}

/// Tells of datasets that several links lead to; of many only how many.
void noteOtherPaths(std::vector<DatasetFacts>& datasets)
{
    constexpr std::ptrdiff_t mostNotes = 20;
    const auto hasOthers = [](const DatasetFacts& facts) { return !furtherPaths(facts).empty(); };
    const auto count = std::ranges::count_if(datasets, hasOthers);
    const auto first = std::ranges::find_if(datasets, hasOthers);
    if (count > mostNotes) {
        first->warnings.push_back(fmt::format(
            "is also found as {}; so are {} other datasets under further names, each is listed "
            "once",
            furtherPaths(*first).front(), count - 1));
        return;
    }
    for (DatasetFacts& facts : datasets)
        if (const std::vector<std::string> further = furtherPaths(facts); !further.empty())
            facts.warnings.push_back(fmt::format(
                "is also found as {}{}, and listed once", further.front(),
                further.size() == 1 ? ""
                                    : fmt::format(" and {} further names", further.size() - 1)));
}

}  // namespace

std::shared_ptr<const OpenFile> openFile(const std::string& path, bool allowsOtherFiles,
                                         const Progress& progress)
{
    FileIdentity identity = checkedIdentity(path);
    structure::Findings findings = structure::checkStructure(path, progress);
    const Lock lock;
    registerLzf();
    usePluginsOfSystemOnly();
    const Handle access = fileAccess();
    Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (!handle.isValid())
        throw Error(Fault::Input, openingFailed(path, lastReason()));
    const std::optional<int> descriptor = descriptorOf(handle.id());
    if (!descriptor || stampOf(*descriptor) != identity.stamp)
        throw Error(Fault::Input, path + ": was changed while it was opened; open it again");
    return std::make_shared<const OpenFile>(
        OpenFile{.identity = std::move(identity),
                 .findings = std::move(findings),
                 .handle = std::move(handle),
                 .others = std::make_unique<const OtherFiles>(path, allowsOtherFiles),
                 .checked = std::make_unique<CheckedValues>()});
}

FileFacts readContents(const OpenFile& file, std::uint64_t memoryBytes, const Progress& progress)
{
    const Lock lock;
    const StoppableReads stoppable(progress);
    FileFacts facts = walk(file, memoryBytes, progress);
    checkStopped();  // what was read when the stop came looks damaged
    noteOtherPaths(facts.datasets);
    return facts;
}

}  // namespace calibscope::hdf5
