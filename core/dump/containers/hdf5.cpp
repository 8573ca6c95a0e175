// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/dump/batch_first.h"
#include "core/dump/container.h"
#include "core/dump/dataset_masks.h"
#include "core/dump/doubt_names.h"
#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/open_file.h"
#include "core/dump/hdf5/read_values.h"
#include "core/dump/layout.h"
#include "core/dump/part_chain.h"
#include "core/dump/profile_dump.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope::containers {

namespace {

std::map<std::string, std::string> attributeTexts(const Attributes& attributes)
{
    std::map<std::string, std::string> texts;
    for (const auto& [name, value] : attributes) {
        if (const auto* text = std::get_if<std::string>(&value))
            texts[name] = *text;
        else if (const auto* whole = std::get_if<std::int64_t>(&value))
            texts[name] = std::to_string(*whole);
        else if (const auto* number = std::get_if<double>(&value))
            texts[name] = numberText(*number);
    }
    return texts;
}

/// The datasets, which the facts hold no longer: of many there is no room for two lists.
Datasets takeDatasets(FileFacts& contents)
{
    Datasets taken;
    taken.reserve(contents.datasets.size());
    for (DatasetFacts& facts : contents.datasets)
        taken.push_back(std::make_shared<const DatasetFacts>(std::move(facts)));
    std::vector<DatasetFacts>().swap(contents.datasets);
    return taken;
}

constexpr std::string_view feedsFolder = "/feeds/";

bool liesInFeeds(const std::string& path)
{
    return path.starts_with(feedsFolder);
}

/// What the rule of our own layout says was fed to the model.
bool isFeed(const TensorInfo& info)
{
    return info.isBeside && info.layoutRule == "calibration-dump" && liesInFeeds(info.path);
}

/// A dataset that has a link in /feeds and one elsewhere is the one elsewhere, which was fed, too:
/// whichever of both the walk met first.
void preferOtherThanFeeds(std::vector<DatasetFacts>& datasets)
{
    for (DatasetFacts& dataset : datasets)
        if (liesInFeeds(dataset.path))
            if (const auto other = std::ranges::find_if_not(dataset.otherPaths, liesInFeeds);
                other != dataset.otherPaths.end())
                std::swap(dataset.path, *other);
}

/// The feeds that a tensor of the dump is as well.
std::vector<TensorInfo> feedsBesides(const TensorInfo& tensor)
{
    std::vector<TensorInfo> feeds;
    for (const std::string& path : tensor.otherPaths)
        if (liesInFeeds(path) && tensor.layoutRule == "calibration-dump") {
            TensorInfo feed = tensor;
            feed.name = path.substr(feedsFolder.size());
            feed.path = path;
            feed.role = Role::Unknown;
            feed.batchAxis.reset();
            feed.batchSize = 0;
            feed.channelAxis.reset();
            feed.isBeside = true;
            feed.mask.reset();
            feeds.push_back(std::move(feed));
        }
    return feeds;
}

/// Reads datasets as parts of one tensor.
PartReader readerOf(const std::shared_ptr<const hdf5::OpenFile>& file, const Datasets& parts,
                    hdf5::Digests digests)
{
    return {.visit =
                [file, parts](std::size_t part, const TensorInfo& piece, const SampleRange& range,
                              const BlockVisitor& visitor, const Progress& progress) {
                    hdf5::visitValues(*file, *parts[part], piece, range, visitor, progress);
                },
            .boxes =
                [file, parts, digests](std::size_t part, TensorInfo piece) {
                    return hdf5::valueBoxes(file, parts[part], std::move(piece), digests);
                }};
}

ValueSource sourceOfDatasets(const std::shared_ptr<const hdf5::OpenFile>& file,
                             const Datasets& parts, TensorInfo info, const SampleRange& range)
{
    auto visit = [file, info, parts, range](const BlockVisitor& visitor, const Progress& progress) {
        if (!info.isReadable())
            throw Error(Fault::Input,
                        file->identity.path + ":" + info.path + ": " + info.unreadable.sentence);
        if (parts.size() > 1)
            visitParts(readerOf(file, parts, hdf5::Digests::Required), parts, info, range, visitor,
                       progress);
        else
            hdf5::visitValues(*file, *parts.front(), info, range, visitor, progress);
    };
    return {.info = batchFirst(std::move(info)), .visit = std::move(visit)};
}

/// An open file with the datasets of its tensors and feeds, in their order.
struct ListedFile
{
    std::shared_ptr<const hdf5::OpenFile> file;
    std::uint64_t memoryBytes = 0;
    std::vector<Datasets> tensors = {};
    std::vector<Datasets> feeds = {};
    std::vector<PositionMask> masks = {};  ///< of the tensors
};

/// Whether each element of a dataset of booleans or small integers is other than 0.
std::vector<std::uint8_t> readFlags(const hdf5::OpenFile& file, DatasetFacts facts,
                                    std::uint64_t memoryBytes, const Progress& progress)
{
    constexpr std::uint64_t share = 8;
    facts.unreadable = {};  // booleans
    TensorInfo info = plainInfo(facts, facts.path, {});
    info.elementType = facts.element->kind;
    if (info.valueCount() > memoryBytes / share)
        throw Error(Fault::Input, "{}: a mask of {} takes more than the {} MiB that it may",
                    facts.path, countText(info.valueCount(), "element", "elements"),
                    memoryBytes / share >> 20U);
    std::vector<std::uint8_t> flags;
    flags.reserve(info.valueCount());
    hdf5::visitValues(
        file, facts, info, {},
        [&](const Block& block) {
            for (const float value : block.values)
                flags.push_back(value != 0.0F ? 1 : 0);
        },
        progress);
    return flags;
}

/// Moves what the layout rules make of the contents into both lists.
void list(FileFacts& contents, bool mergeNumbered, ListedFile& listed, Container& made,
          const Progress& progress)
{
    DatasetMasks masks =
        DatasetMasks::takenFrom(contents, [&listed, &progress](const DatasetFacts& facts) {
            return readFlags(*listed.file, facts, listed.memoryBytes, progress);
        });
    std::vector<Understood> tensors = understand(contents, mergeNumbered);
    std::ranges::move(doubtNames(tensors), std::back_inserter(made.warnings));
    const Datasets datasets = takeDatasets(contents);
    listed.tensors.reserve(tensors.size());
    made.tensors.reserve(tensors.size());
    for (Understood& tensor : tensors) {
        const bool isFed = isFeed(tensor.info);
        Datasets& own = (isFed ? listed.feeds : listed.tensors).emplace_back();
        for (const std::size_t dataset : tensor.datasets) {
            const DatasetFacts& facts = *own.emplace_back(datasets[dataset]);
            for (const std::string& warning : facts.warnings)
                made.warnings.push_back(facts.path + ": " + warning);
        }
        for (const std::string& warning : tensor.warnings) {
            made.warnings.push_back(tensor.info.path + ": " + warning);
            tensor.info.doubts.push_back(warning);
        }
        if (!isFed)
            listed.masks.push_back(masks.of(tensor.info, own));
        std::vector<TensorInfo> also = feedsBesides(tensor.info);
        const Datasets same = own;
        (isFed ? made.feeds : made.tensors).push_back(std::move(tensor.info));
        std::ranges::move(also, std::back_inserter(made.feeds));
        listed.feeds.resize(made.feeds.size(), same);
    }
    made.rules = usesOf(made.tensors);
}

void setReaders(const std::shared_ptr<const ListedFile>& listed, Container& made)
{
    made.source = [listed](std::size_t tensor, const TensorInfo& understood,
                           std::uint64_t firstBatches, const SampleRange& range) {
        return sourceOfDatasets(listed->file, listed->tensors[tensor],
                                cutToBatches(understood, firstBatches, listed->memoryBytes,
                                             listed->file->identity.path),
                                range);
    };
    made.mask = [listed](std::size_t tensor) { return listed->masks[tensor]; };
    made.feedSource = [listed](std::size_t feed, const TensorInfo& info) {
        return sourceOfDatasets(listed->file, listed->feeds.at(feed), info, {});
    };
    made.boxes = [listed](std::size_t tensor, const TensorInfo& understood, bool isFirstLook) {
        const auto digests = isFirstLook ? hdf5::Digests::AsFarAsKnown : hdf5::Digests::Required;
        const Datasets& own = listed->tensors[tensor];
        return own.size() > 1 ? boxesOfParts(readerOf(listed->file, own, digests), own, understood)
                              : hdf5::valueBoxes(listed->file, own.front(), understood, digests);
    };
    made.samplesPerCut = [listed](std::size_t tensor, const TensorInfo& understood) {
        const Datasets& own = listed->tensors[tensor];
        return own.size() > 1 ? samplesPerCut(own, understood)
                              : hdf5::samplesPerCut(*own.front(), understood);
    };
    made.datasets = std::shared_ptr<const std::vector<Datasets>>(listed, &listed->tensors);
}

/// A profile (calib profile) is a file of HDF5 as well.
Container openHdf5(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    const auto file = hdf5::openFile(
        path, {.otherFiles = options.allowExternal, .growing = options.allowGrowing}, progress);
    FileFacts contents = hdf5::readContents(*file, options.memoryBytes, progress);
    preferOtherThanFeeds(contents.datasets);
    Container made{.identity = file->identity,
                   .attributes = attributeTexts(contents.attributes),
                   .warnings = std::move(contents.warnings),
                   .isGrowing = file->findings.isGrowing};
    if (contents.datasets.empty())
        made.warnings.emplace_back("/: the file holds no datasets");
    const auto listed =
        std::make_shared<ListedFile>(ListedFile{.file = file, .memoryBytes = options.memoryBytes});
    list(contents, options.mergeNumbered, *listed, made, progress);
    setReaders(listed, made);
    if (ProfileDump::isOne(made.attributes))
        return profileContainer(std::make_shared<const DumpFile>(std::move(made)));
    return made;
}

bool isHdf5(std::string_view firstBytes, const std::string& /*path*/)
{
    return findSuperblock(firstBytes).has_value();
}

}  // namespace

ContainerFormat hdf5()
{
    return {.id = "hdf5", .recognise = isHdf5, .open = openHdf5};
}

}  // namespace calibscope::containers
