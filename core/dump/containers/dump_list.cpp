// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/dump/container.h"
#include "core/dump/dump_file.h"
#include "core/dump/file_check.h"
#include "core/dump/part_chain.h"
#include "core/spread/joined_tensors.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace calibscope::containers {

namespace {

constexpr const char* listRule = "dump-list";

/// A tensor of the list, and where its values lie.
struct TensorOfList
{
    std::vector<spread::JoinedPart> parts;        ///< in recorded order
    std::vector<spread::JoinedPart> copies = {};  ///< of the only part, in other dumps
    mutable std::once_flag compared = {};
};

struct FeedOfList
{
    std::size_t file = 0;
    std::size_t feed = 0;
};

/// The dumps of a list, open.
struct OpenList
{
    std::string path;
    std::uint64_t memoryBytes = 0;
    std::vector<std::shared_ptr<const DumpFile>> files = {};
    std::vector<std::unique_ptr<TensorOfList>> tensors = {};
    std::vector<FeedOfList> feeds = {};

    [[nodiscard]] const TensorInfo& infoOf(const spread::JoinedPart& part) const
    {
        return files[part.file]->tensors()[part.tensor];
    }
};

using Opened = std::shared_ptr<const OpenList>;

std::shared_ptr<const DumpFile> openListed(const std::string& list, const ListedDump& dump,
                                           const DumpOptions& options, const Progress& progress)
{
    if (dump.isOutside && !options.allowExternal)
        throw Error(Fault::Input,
                    "{}: names {}, which lies outside of the list's folder; other files are read "
                    "only with --allow-external",
                    list, dump.path);
    try {
        auto file = DumpFile::open(dump.path, options, progress);
        if (file->isProfile())
            throw Error(Fault::Input,
                        "{}: is a profile, whose values are gone; calib merge puts profiles "
                        "together",
                        dump.path);
        return file;
    } catch (const Error& error) {
        throw Error(error.fault(), list + ": " + error.what());
    }
}

void openFiles(OpenList& opened, const DumpOptions& options, const Progress& progress)
{
    const std::vector<ListedDump> dumps = listedDumps(opened.path);
    for (std::size_t index = 0; index < dumps.size(); ++index) {
        progress.step(index, dumps.size(), dumps[index].path);
        auto file = openListed(opened.path, dumps[index], options, progress);
        for (const auto& other : opened.files)
            if (other->identity().stamp == file->identity().stamp)
                throw Error(Fault::Input, "{}: {} is the same dump as {}; name it once",
                            opened.path, dumps[index].path, other->identity().path);
        opened.files.push_back(std::move(file));
    }
}

/// Facts of a file for joining. Channels that lie in several files are not put together here.
spread::ListedFile listedFile(const DumpFile& file)
{
    spread::ListedFile listed{.path = file.identity().path,
                              .firstSample = file.firstSample(),
                              .tensors = file.tensors(),
                              .holdsShards = file.holdsShards()};
    for (std::size_t tensor = 0; listed.holdsShards && tensor < listed.tensors.size(); ++tensor)
        if (file.firstChannelOf(listed.tensors[tensor]))
            listed.shards.push_back({.tensor = tensor,
                                     .problem = listed.path + ":" + listed.tensors[tensor].path +
                                                ": it holds some channels alone; calib profile "
                                                "puts them together"});
    return listed;
}

/// Why the parts can't be read one behind the other, as a sentence; or nothing.
std::string problemOf(const spread::JoinedTensor& joined)
{
    if (!joined.problem.empty() || joined.isConstant || joined.parts.size() == 1 ||
        joined.info.batchAxis == 0)
        return joined.problem;
    return "its batches lie along axis " + std::to_string(*joined.info.batchAxis) +
           ", and several dumps are joined along axis 0 alone";
}

TensorInfo infoOfList(spread::JoinedTensor& joined, const OpenList& opened, bool isByName)
{
    TensorInfo info = std::move(joined.info);
    // A tensor of one dump has its own reason.
    if (info.isReadable() || joined.parts.size() > 1)
        info.unreadable = problemOf(joined);
    info.layoutRule = listRule;
    if (joined.parts.size() == 1 || joined.isConstant) {
        info.evidence.push_back("in " + opened.files[joined.parts.front().file]->identity().path);
        return info;
    }
    info.parts.clear();
    for (const spread::JoinedPart& part : joined.parts) {
        if (opened.infoOf(part).checksum != info.checksum)
            info.checksum = "none";
        if (opened.infoOf(part).compression != info.compression)
            info.compression = "mixed";
    }
    info.evidence.push_back("the batches of " + std::to_string(joined.parts.size()) +
                            " dumps, in the order of their " +
                            (isByName ? "names" : "first samples"));
    return info;
}

void listTensors(OpenList& opened, Container& made)
{
    std::vector<spread::ListedFile> listed;
    for (const auto& file : opened.files)
        listed.push_back(listedFile(*file));
    spread::JoinedFiles joined = spread::joinedFiles(listed);
    RuleUse use{.id = listRule, .title = "Names of a list of dumps"};
    for (spread::JoinedTensor& tensor : joined.tensors) {
        made.tensors.push_back(infoOfList(tensor, opened, joined.isByName));
        use.guesses += made.tensors.back().isGuess ? 1U : 0U;
        auto own = std::make_unique<TensorOfList>();
        own->parts = std::move(tensor.parts);
        if (tensor.isConstant && !own->parts.empty()) {
            own->copies = std::exchange(own->parts.front().copies, {});
            own->parts.resize(1);
        }
        opened.tensors.push_back(std::move(own));
    }
    use.tensors = made.tensors.size();
    if (!made.tensors.empty())
        made.rules = {std::move(use)};
    for (const std::size_t index : joined.order) {
        const DumpFile& file = *opened.files[index];
        made.attributes.insert(file.attributes().begin(), file.attributes().end());
        made.isGrowing = made.isGrowing || file.isGrowing();
        for (const std::string& warning : file.warnings())
            made.warnings.push_back(warning + " (" + file.identity().path + ")");
    }
}

/// SHA-256 of the values as float32.
std::string digestOf(const ValueSource& source, const Progress& progress)
{
    Sha256 digest;
    source.visit(
        [&](const Block& block) {
            const auto bytes = std::as_bytes(block.values);
            digest.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        },
        progress);
    return digest.finish();
}

/// Tensors without batches, as weights, must be equal in all dumps that hold them. Read once.
void compareCopies(const OpenList& opened, const TensorOfList& tensor, const Progress& progress)
{
    if (tensor.copies.empty())
        return;
    const auto sourceOf = [&](const spread::JoinedPart& part) {
        return opened.files[part.file]->source(part.tensor);
    };
    std::call_once(tensor.compared, [&] {
        const std::string digest = digestOf(sourceOf(tensor.parts.front()), progress);
        for (const spread::JoinedPart& copy : tensor.copies)
            if (digestOf(sourceOf(copy), progress) != digest)
                throw Error(Fault::Input,
                            "{}:{}: its values are others than in {}; leave one of the files out",
                            opened.files[copy.file]->identity().path, opened.infoOf(copy).path,
                            opened.files[tensor.parts.front().file]->identity().path);
    });
}

/// The part as the whole is interpreted, with its samples as one batch.
TensorInfo partInfo(const OpenList& opened, const spread::JoinedPart& part,
                    const TensorInfo& interpreted)
{
    TensorInfo info = opened.infoOf(part);
    info.mask.reset();  // the whole has it
    info.elementType = interpreted.elementType;
    info.batchAxis = 0;
    info.batchSize = 0;
    return info;
}

/// The tensor as its dump has it, where that is one alone.
TensorInfo ownInfo(const OpenList& opened, std::size_t tensor, TensorInfo interpreted)
{
    interpreted.parts = opened.infoOf(opened.tensors[tensor]->parts.front()).parts;
    interpreted.mask.reset();
    return interpreted;
}

PartReader readerOf(const Opened& opened, std::size_t tensor, const TensorInfo& interpreted,
                    bool isFirstLook)
{
    return {.visit =
                [opened, tensor, interpreted](
                    std::size_t index, const TensorInfo& piece, const SampleRange& /*all*/,
                    const BlockVisitor& visitor, const Progress& progress) {
                    const spread::JoinedPart& part = opened->tensors[tensor]->parts[index];
                    TensorInfo info = partInfo(*opened, part, interpreted);
                    const bool isCut = piece.shape.front() < info.shape.front();
                    info.batchSize = isCut ? piece.shape.front() : 0;
                    opened->files[part.file]->source(info, isCut ? 1 : 0).visit(visitor, progress);
                },
            .boxes =
                [opened, tensor, interpreted, isFirstLook](std::size_t index, const TensorInfo&) {
                    const spread::JoinedPart& part = opened->tensors[tensor]->parts[index];
                    return opened->files[part.file]->boxes(partInfo(*opened, part, interpreted),
                                                           isFirstLook);
                }};
}

std::vector<std::shared_ptr<const DatasetFacts>> factsOf(const OpenList& opened,
                                                         const TensorOfList& tensor)
{
    std::vector<std::shared_ptr<const DatasetFacts>> facts;
    for (const spread::JoinedPart& part : tensor.parts) {
        const TensorInfo& info = opened.infoOf(part);
        facts.push_back(std::make_shared<const DatasetFacts>(
            DatasetFacts{.path = info.path,
                         .shape = info.shape,
                         .chunk = std::vector<std::uint64_t>(info.shape.size(), 1)}));
    }
    return facts;
}

ValueSource sourceOfList(const Opened& opened, std::size_t tensor, const TensorInfo& interpreted,
                         std::uint64_t firstBatches, const SampleRange& range)
{
    const TensorOfList& own = *opened->tensors.at(tensor);
    const std::string where = opened->path + ":" + interpreted.path + ": ";
    if (own.parts.size() == 1) {
        ValueSource source = opened->files[own.parts.front().file]->source(
            ownInfo(*opened, tensor, interpreted), firstBatches, range);
        if (!interpreted.isReadable())
            source.visit = [where, interpreted](const BlockVisitor&, const Progress&) {
                throw Error(Fault::Input, where + interpreted.unreadable.sentence);
            };
        else if (!own.copies.empty())
            source.visit = [opened, tensor, visit = source.visit](const BlockVisitor& visitor,
                                                                  const Progress& progress) {
                compareCopies(*opened, *opened->tensors[tensor], progress);
                visit(visitor, progress);
            };
        return source;
    }
    const TensorInfo info =
        cutToBatches(interpreted, firstBatches, opened->memoryBytes, opened->path);
    auto visit = [opened, tensor, info, where](const BlockVisitor& visitor,
                                               const Progress& progress) {
        if (!info.isReadable())
            throw Error(Fault::Input, where + info.unreadable.sentence);
        if (info.batchAxis.value_or(0) != 0)
            throw Error(Fault::Usage, where + "dumps are joined along axis 0, so that axis " +
                                          std::to_string(*info.batchAxis) +
                                          " can't be that of the batches");
        visitParts(readerOf(opened, tensor, info, false),
                   factsOf(*opened, *opened->tensors[tensor]), info, {}, visitor, progress);
    };
    return {.info = info, .visit = std::move(visit)};
}

ValueBoxes boxesOfList(const Opened& opened, std::size_t tensor, const TensorInfo& interpreted,
                       bool isFirstLook)
{
    const TensorOfList& own = *opened->tensors.at(tensor);
    if (own.parts.size() == 1)
        return opened->files[own.parts.front().file]->boxes(ownInfo(*opened, tensor, interpreted),
                                                            isFirstLook);
    const PartReader reader = readerOf(opened, tensor, interpreted, isFirstLook);
    std::vector<std::uint64_t> chunk = reader.boxes(0, interpreted).chunk;
    ValueBoxes boxes = boxesOfParts(reader, factsOf(*opened, own), interpreted);
    boxes.chunk = std::move(chunk);
    return boxes;
}

PositionMask maskOfList(const OpenList& opened, const TensorOfList& tensor)
{
    std::vector<PositionMask> masks;
    std::vector<std::vector<std::uint64_t>> shapes;
    for (const spread::JoinedPart& part : tensor.parts) {
        masks.push_back(opened.files[part.file]->mask(opened.infoOf(part)));
        shapes.push_back(opened.infoOf(part).shape);
    }
    return masks.size() == 1 ? masks.front() : joinedMasks(masks, shapes);
}

/// The feeds of all dumps, their batches numbered on.
void listFeeds(OpenList& opened, Container& made)
{
    constexpr std::string_view folder = "/feeds/";
    std::uint64_t before = 0;
    for (std::size_t file = 0; file < opened.files.size(); ++file) {
        std::uint64_t batches = 0;
        for (std::size_t feed = 0; feed < opened.files[file]->feeds().size(); ++feed) {
            TensorInfo info = opened.files[file]->feeds()[feed];
            const std::size_t end = info.name.find('/');
            const std::uint64_t number = std::strtoull(info.name.c_str(), nullptr, 10);
            if (end == std::string::npos)
                continue;
            info.name = std::to_string(before + number) + info.name.substr(end);
            info.path = std::string(folder) + info.name;
            batches = std::max(batches, number + 1);
            opened.feeds.push_back({.file = file, .feed = feed});
            made.feeds.push_back(std::move(info));
        }
        before += batches;
    }
}

void setReaders(const Opened& opened, Container& made)
{
    made.source = [opened](std::size_t tensor, const TensorInfo& interpreted,
                           std::uint64_t firstBatches, const SampleRange& range) {
        return sourceOfList(opened, tensor, interpreted, firstBatches, range);
    };
    made.boxes = [opened](std::size_t tensor, const TensorInfo& interpreted, bool isFirstLook) {
        return boxesOfList(opened, tensor, interpreted, isFirstLook);
    };
    made.mask = [opened](std::size_t tensor) {
        return maskOfList(*opened, *opened->tensors.at(tensor));
    };
    made.feedSource = [opened](std::size_t feed, const TensorInfo& info) {
        const FeedOfList& own = opened->feeds.at(feed);
        ValueSource source = opened->files[own.file]->feedSource(own.feed);
        source.info.name = info.name;
        source.info.path = info.path;
        return source;
    };
    made.samplesPerCut = [opened](std::size_t tensor, const TensorInfo& interpreted) {
        const TensorOfList& own = *opened->tensors.at(tensor);
        return own.parts.size() == 1 ? opened->files[own.parts.front().file]->samplesPerCut(
                                           ownInfo(*opened, tensor, interpreted))
                                     : 0;
    };
}

Container openList(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    Container made{.identity = checkedIdentity(path)};
    const auto opened =
        std::make_shared<OpenList>(OpenList{.path = path, .memoryBytes = options.memoryBytes});
    openFiles(*opened, options, progress);
    listTensors(*opened, made);
    listFeeds(*opened, made);
    if (made.tensors.empty())
        made.warnings.emplace_back("/: the dumps hold no tensors");
    setReaders(opened, made);
    return made;
}

bool isList(std::string_view firstBytes, const std::string& path)
{
    return !firstBytes.empty() && isDumpList(path);
}

}  // namespace

/// Several dumps as one, by a text that names them: tensors of one path are joined as calib profile
/// joins them.
ContainerFormat dumpList()
{
    return {.id = listRule, .recognise = isList, .open = openList};
}

}  // namespace calibscope::containers
