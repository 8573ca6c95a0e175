// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/stored_tensors.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/dump/batch_first.h"
#include "core/dump/doubt_names.h"
#include "core/dump/element_blocks.h"
#include "core/dump/layout.h"
#include "core/dump/part_chain.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

/// A tensor of the list: its shape as recorded, and the datasets that hold it.
struct ListedTensor
{
    std::vector<std::uint64_t> shape;
    std::vector<std::size_t> datasets;
    Datasets parts = {};  ///< their facts, where they are several
};

struct ListedTensors
{
    std::string path;
    std::uint64_t memoryBytes = 0;
    std::vector<ElementFile> files;
    std::vector<ElementLocation> locations;  ///< of the datasets
    std::vector<ListedTensor> tensors = {};
};

using Listed = std::shared_ptr<const ListedTensors>;

std::size_t sizeOf(const TensorInfo& info)
{
    return ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
}

void visitDataset(const ListedTensors& listed, std::size_t dataset,
                  const std::vector<std::uint64_t>& shape, const TensorInfo& info,
                  const BlockVisitor& visitor, const Progress& progress)
{
    const std::string who = listed.path + ":" + info.path + ": ";
    if (!info.isReadable())
        throw Error(Fault::Input, who + info.unreadable.sentence);
    const ElementLocation& location = listed.locations.at(dataset);
    const LocatedElements elements{.file = listed.files.at(location.file),
                                   .location = location,
                                   .shape = shape,
                                   .elementBytes = sizeOf(info),
                                   .memoryBytes = listed.memoryBytes,
                                   .who = who};
    // Of batches along another axis all values are needed.
    const std::uint64_t wanted = info.batchAxis.value_or(0) == 0 ? info.valueCount() * sizeOf(info)
                                                                 : location.end - location.begin;
    visitElements({.who = who,
                   .shape = shape,
                   .memoryBytes = listed.memoryBytes,
                   .isBigEndian = location.isBigEndian,
                   .visit = [&](const auto& take) { elements.visit(wanted, take); }},
                  info, visitor, progress);
}

ValueSource sourceOfDataset(const Listed& listed, std::size_t dataset,
                            const std::vector<std::uint64_t>& shape, TensorInfo info)
{
    auto visit = [listed, dataset, shape, info](const BlockVisitor& visitor,
                                                const Progress& progress) {
        visitDataset(*listed, dataset, shape, info, visitor, progress);
    };
    return {.info = batchFirst(std::move(info)), .visit = std::move(visit)};
}

/// Of a dataset, its runs alone where they lie in order.
ValueBoxes boxesOfDataset(const Listed& listed, std::size_t dataset,
                          const std::vector<std::uint64_t>& shape, TensorInfo info)
{
    const ElementLocation& location = listed->locations.at(dataset);
    const std::string who = listed->path + ":" + info.path + ": ";
    if (location.isPlain())
        return locatedBoxes(listed->files.at(location.file), location, who, info);
    return heldBoxes(who, std::move(info), listed->memoryBytes,
                     [listed, dataset, shape](TensorInfo whole) {
                         return sourceOfDataset(listed, dataset, shape, std::move(whole));
                     });
}

PartReader readerOf(const Listed& listed, std::size_t tensor)
{
    const ListedTensor& whole = listed->tensors[tensor];
    const bool arePlain = std::ranges::all_of(
        whole.datasets, [&](std::size_t dataset) { return listed->locations[dataset].isPlain(); });
    return {.visit =
                [listed, tensor](std::size_t part, const TensorInfo& piece,
                                 const SampleRange& /*all*/, const BlockVisitor& visitor,
                                 const Progress& progress) {
                    const ListedTensor& own = listed->tensors[tensor];
                    visitDataset(*listed, own.datasets[part], own.parts[part]->shape, piece,
                                 visitor, progress);
                },
            .boxes =
                [listed, tensor](std::size_t part, TensorInfo piece) {
                    const ListedTensor& own = listed->tensors[tensor];
                    return boxesOfDataset(listed, own.datasets[part], own.parts[part]->shape,
                                          std::move(piece));
                },
            .mostOpen = arePlain ? std::size_t{64} : std::size_t{1}};
}

ValueSource sourceOfTensor(const Listed& listed, std::size_t tensor, TensorInfo info)
{
    const ListedTensor& own = listed->tensors.at(tensor);
    if (own.datasets.size() == 1)
        return sourceOfDataset(listed, own.datasets.front(), own.shape, std::move(info));
    auto visit = [listed, tensor, info](const BlockVisitor& visitor, const Progress& progress) {
        if (!info.isReadable())
            throw Error(Fault::Input,
                        listed->path + ":" + info.path + ": " + info.unreadable.sentence);
        visitParts(readerOf(listed, tensor), listed->tensors[tensor].parts, info, {}, visitor,
                   progress);
    };
    return {.info = batchFirst(std::move(info)), .visit = std::move(visit)};
}

void setReaders(const Listed& listed, Container& made)
{
    made.source = [listed](std::size_t tensor, const TensorInfo& info, std::uint64_t firstBatches,
                           const SampleRange& /*all*/) {
        return sourceOfTensor(listed, tensor,
                              cutToBatches(info, firstBatches, listed->memoryBytes, listed->path));
    };
    made.boxes = [listed](std::size_t tensor, const TensorInfo& info, bool /*isFirstLook*/) {
        const ListedTensor& own = listed->tensors.at(tensor);
        return own.datasets.size() > 1
                   ? boxesOfParts(readerOf(listed, tensor), own.parts, info)
                   : boxesOfDataset(listed, own.datasets.front(), own.shape, info);
    };
}

}  // namespace

Container containerOf(StoredTensors stored, Container made)
{
    const auto listed =
        std::make_shared<ListedTensors>(ListedTensors{.path = made.identity.path,
                                                      .memoryBytes = stored.memoryBytes,
                                                      .files = std::move(stored.files),
                                                      .locations = std::move(stored.locations)});
    std::vector<Understood> found = understand(stored.contents, stored.mergeNumbered);
    std::ranges::move(doubtNames(found), std::back_inserter(made.warnings));
    made.tensors.reserve(found.size());
    listed->tensors.reserve(found.size());
    RuleUse use{.id = std::string(stored.rule), .title = std::string(stored.title)};
    for (Understood& tensor : found) {
        tensor.info.layoutRule = stored.rule;
        use.guesses += tensor.info.isGuess ? 1U : 0U;
        ListedTensor& own = listed->tensors.emplace_back(
            ListedTensor{.shape = tensor.info.shape, .datasets = std::move(tensor.datasets)});
        if (own.datasets.size() > 1)
            for (const std::size_t dataset : own.datasets)
                own.parts.push_back(std::make_shared<const DatasetFacts>(
                    std::move(stored.contents.datasets[dataset])));
        made.tensors.push_back(std::move(tensor.info));
    }
    use.tensors = made.tensors.size();
    if (made.tensors.empty())
        made.warnings.emplace_back("/: the file holds no tensors");
    else
        made.rules = {std::move(use)};
    setReaders(listed, made);
    return made;
}

bool isListableName(std::string_view name)
{
    constexpr std::size_t longestPath = std::size_t{32} << 10U;
    const auto isAscii = [](char byte) { return static_cast<unsigned char>(byte) < 0x80; };
    return !name.empty() && name.size() <= longestPath &&
           name.find('\0') == std::string_view::npos &&
           (std::ranges::all_of(name, isAscii) || validUtf8(name) == name);
}

}  // namespace calibscope
