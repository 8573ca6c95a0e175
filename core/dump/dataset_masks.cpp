// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dataset_masks.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace calibscope {

namespace {

constexpr const char* maskName = "mask";
constexpr std::string_view maskEnding = ".mask";

bool holdsFlags(const DatasetFacts& dataset)
{
    return dataset.element && (dataset.element->kind == ElementKind::Int8 ||
                               dataset.element->kind == ElementKind::Uint8);
}

/// From the root, as the file's paths are.
std::string absolutePath(const std::string& path, const std::string& ofDataset)
{
    return path.starts_with('/') ? path : ofDataset.substr(0, ofDataset.rfind('/') + 1) + path;
}

[[noreturn]] void refuseMask(const std::string& sentence)
{
    throw Error(Fault::Input, sentence);
}

std::string digestOf(const PositionMask& mask)
{
    Sha256 digest;
    digest.add(shapeText(mask.shape) + ": ");
    digest.add({reinterpret_cast<const char*>(mask.counts->data()), mask.counts->size()});
    return hexText(digest.finish());
}

}  // namespace

DatasetMasks DatasetMasks::takenFrom(FileFacts& file, Read read)
{
    DatasetMasks masks;
    masks.m_read = std::move(read);
    std::unordered_map<std::string_view, std::size_t> indices;
    for (std::size_t index = 0; index < file.datasets.size(); ++index) {
        indices.emplace(file.datasets[index].path, index);
        for (const std::string& other : file.datasets[index].otherPaths)
            indices.emplace(other, index);
    }
    std::unordered_set<std::size_t> taken;
    std::unordered_set<std::size_t> unsuited;  // named, and tensors all the same
    for (DatasetFacts& dataset : file.datasets) {
        const auto stated = dataset.attributes.find(maskName);
        if (stated == dataset.attributes.end()) {
            const auto sibling = indices.find(dataset.path + std::string(maskEnding));
            if (sibling == indices.end() || !holdsFlags(file.datasets[sibling->second]))
                continue;
            masks.m_named.emplace(dataset.path, file.datasets[sibling->second].path);
            taken.insert(sibling->second);
        } else if (const auto* path = std::get_if<std::string>(&stated->second)) {
            std::string named = absolutePath(*path, dataset.path);
            if (const auto found = indices.find(named); found != indices.end()) {
                named = file.datasets[found->second].path;
                const bool isMask =
                    named != dataset.path && holdsFlags(file.datasets[found->second]);
                (isMask ? taken : unsuited).insert(found->second);
            }
            masks.m_named.emplace(dataset.path, std::move(named));
        } else {
            dataset.warnings.emplace_back("attribute mask is passed over: it is no text; all "
                                          "positions count");
            dataset.doubts.push_back(dataset.warnings.back());
        }
    }
    for (const std::size_t index : unsuited)
        masks.m_masks.emplace(file.datasets[index].path, file.datasets[index]);
    if (taken.empty())
        return masks;
    std::vector<DatasetFacts> others;
    for (std::size_t index = 0; index < file.datasets.size(); ++index)
        if (DatasetFacts& dataset = file.datasets[index]; taken.contains(index))
            masks.m_masks.emplace(dataset.path, std::move(dataset));
        else
            others.push_back(std::move(dataset));
    file.datasets = std::move(others);
    return masks;
}

PositionMask DatasetMasks::of(TensorInfo& info,
                              const std::vector<std::shared_ptr<const DatasetFacts>>& datasets)
{
    const auto named = std::ranges::find_if(
        datasets, [this](const auto& dataset) { return m_named.contains(dataset->path); });
    if (named == datasets.end() || !info.isReadable())
        return {};
    try {
        if (info.role == Role::Weight || info.role == Role::Bias)
            refuseMask("it has a mask, which is for activations");
        std::vector<PositionMask> masks;
        std::vector<std::vector<std::uint64_t>> shapes;
        for (const auto& dataset : datasets) {
            masks.push_back(of(*dataset));
            shapes.push_back(dataset->shape);
        }
        PositionMask mask = masks.size() == 1 ? masks.front() : joinedMasks(masks, shapes);
        info.mask = {.path = m_named.at((*named)->path),
                     .counted = mask.countedIn(info.shape),
                     .of = info.valueCount(),
                     .sha256 = digestOf(mask)};
        if (info.mask->counted == 0)
            refuseMask("its mask " + info.mask->path + " is 0 everywhere: no position counts");
        return mask;
    } catch (const Error& error) {
        info.mask.reset();
        info.unreadable = {Unreadable::Reason::Mask, error.what()};
        return {};
    }
}

PositionMask DatasetMasks::of(const DatasetFacts& dataset)
{
    const auto named = m_named.find(dataset.path);
    if (named == m_named.end())
        return {};
    const auto found = m_masks.find(named->second);
    if (found == m_masks.end())
        refuseMask("its mask " + named->second + " is not in the file");
    const DatasetFacts& mask = found->second;
    if (mask.path == dataset.path)
        refuseMask("its attribute mask names the tensor itself");
    if (!mask.unreadable.empty() && mask.unreadable.reason != Unreadable::Reason::NotNumbers)
        refuseMask("its mask " + mask.path + " can't be read: " + mask.unreadable.sentence);
    if (!holdsFlags(mask))
        refuseMask("its mask " + mask.path + " is of " + mask.typeText +
                   "; a mask is of booleans, int8 or uint8 (mask.astype(bool))");
    PositionMask made{.shape = mask.shape};
    made.shape.resize(std::max(mask.shape.size(), dataset.shape.size()), 1);
    const auto fits = [](std::uint64_t own, std::uint64_t length) {
        return own == length || own == 1;
    };
    if (!std::ranges::equal(made.shape, dataset.shape, fits))
        refuseMask("its mask " + mask.path + " has the shape " + shapeText(mask.shape) +
                   ", which does not fit its first axes, of " + shapeText(dataset.shape) +
                   ": each length must be that of the tensor's axis, or 1");
    made.counts = flagsOf(mask);
    return made;
}

DatasetMasks::Flags DatasetMasks::flagsOf(const DatasetFacts& mask)
{
    Flags& flags = m_flags[mask.path];
    if (!flags)
        flags = std::make_shared<const std::vector<std::uint8_t>>(m_read(mask));
    return flags;
}

}  // namespace calibscope
