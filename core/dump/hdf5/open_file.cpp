// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/open_file.h"

#include "core/base/error.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/file_driver.h"
#include "core/dump/hdf5/lzf_filter.h"
#include "core/dump/hdf5/other_filters.h"
#include "core/dump/hdf5/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace calibscope::hdf5 {

namespace {

std::string openingFailed(const std::string& path, const std::string& reason)
{
    const bool isLeftOpen = reason.find("h5clear") != std::string::npos;
    return path + ": cannot be opened as HDF5 (" + reason + "); " +
           (isLeftOpen
                ? "it is still being written, or its writer did not close it: if no writer is "
                  "running, mend a copy with h5clear -s"
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

/// Opens the file that was found in that state.
std::shared_ptr<const OpenFile> openedAs(FileIdentity identity, const Allowed& allowed,
                                         const Progress& progress)
{
    const std::string& path = identity.path;
    structure::Findings findings = structure::checkStructure(path, progress, allowed.growing);
    const Lock lock;
    registerLzf();
    usePluginsOfSystemOnly();
    const Handle access = fileAccess();
    const unsigned asReader = findings.isGrowing ? unsigned{H5F_ACC_SWMR_READ} : 0U;
    Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | asReader, access.id()), H5Fclose);
    if (!handle.isValid())
        throw Error(Fault::Input, openingFailed(path, lastReason()));
    const std::optional<int> descriptor = descriptorOf(handle.id());
    const std::string stamp = descriptor ? stampOf(*descriptor) : std::string();
    if (findings.isGrowing ? !isSameFile(stamp, identity.stamp) : stamp != identity.stamp)
        throw Error(Fault::Input, path + ": was changed while it was opened; open it again");
    readByBlocks(handle.id(), structure::blockSizesFor(findings.pageBytes));
    auto plain = std::make_unique<structure::PlainDatasets>(std::exchange(findings.plain, {}));
    auto others = std::make_unique<const OtherFiles>(path, allowed.otherFiles);
    return std::make_shared<const OpenFile>(OpenFile{.identity = std::move(identity),
                                                     .findings = std::move(findings),
                                                     .handle = std::move(handle),
                                                     .others = std::move(others),
                                                     .checked = std::make_unique<CheckedValues>(),
                                                     .plain = std::move(plain)});
}

/// Tables of chunks, of which the library keeps most: many files may be open at a time.
constexpr structure::BlockSizes whileValuesAreRead{.most = 16};

/// What looks damaged in a file that grows may be half written, whoever meets it.
void doubtDamage(std::vector<DatasetFacts>& datasets)
{
    constexpr std::string_view verdict = "the file is damaged";
    for (DatasetFacts& facts : datasets) {
        std::string& sentence = facts.unreadable.sentence;
        if (const std::size_t at = sentence.find(verdict); at != std::string::npos)
            sentence.insert(at + verdict.size(), ", or still being written");
    }
}

constexpr const char* growingNote =
    "/: the file is still being written, or its writer did not close it: this is what was there "
    "when it was opened";

}  // namespace

std::shared_ptr<const OpenFile> openFile(const std::string& path, const Allowed& allowed,
                                         const Progress& progress)
{
    // What was found in a file that changed meanwhile may be of two states.
    constexpr int mostLooks = 5;
    for (int looks = 1;; ++looks) {
        const FileIdentity identity = checkedIdentity(path);
        const auto mayBeOfTwo = [&] {
            return allowed.growing && looks < mostLooks &&
                   checkedIdentity(path).stamp != identity.stamp;
        };
        try {
            auto opened = openedAs(identity, allowed, progress);
            const bool looksDamaged =
                opened->findings.isGrowing && !opened->findings.firstReason().empty();
            if (!looksDamaged || !mayBeOfTwo())
                return opened;
        } catch (const Error&) {
            if (!mayBeOfTwo())
                throw;
        }
    }
}

FileFacts readContents(const OpenFile& file, std::uint64_t memoryBytes, const Progress& progress)
{
    const Lock lock;
    const StoppableReads stoppable(progress);
    FileFacts facts = walk(file, memoryBytes, progress);
    *file.plain = {};
    checkStopped();  // what was read when the stop came looks damaged
    if (file.findings.isGrowing) {
        facts.warnings.emplace_back(growingNote);
        doubtDamage(facts.datasets);
    } else if (file.findings.goesOn)
        facts.warnings.emplace_back("/: the file goes on behind the end that its header states: it "
                                    "may still be being written, or its writer did not close it");
    noteOtherPaths(facts.datasets);
    readByBlocks(file.handle.id(), whileValuesAreRead);
    return facts;
}

}  // namespace calibscope::hdf5
