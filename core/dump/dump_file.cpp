// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_file.h"

#include "core/base/error.h"
#include "core/dump/batch_first.h"
#include "core/dump/file_check.h"
#include "core/tensor/tensor_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace calibscope {

namespace {

constexpr const char* firstChannelName = "first_channel";
constexpr const char* allChannelsName = "channels";
constexpr const char* firstSampleName = "first_sample";

[[noreturn]] void refuse(const std::string& where, const char* attribute, const std::string& what)
{
    throw Error(Fault::Input, where + ": its attribute " + attribute + " " + what);
}

/// The attribute of a dataset as a whole number from 0 on; nothing where it has none.
std::optional<std::uint64_t> wholeNumber(const DatasetFacts& dataset, const std::string& where,
                                         const char* attribute)
{
    const auto found = dataset.attributes.find(attribute);
    if (found == dataset.attributes.end())
        return std::nullopt;
    const auto* const number = std::get_if<std::int64_t>(&found->second);
    if (number == nullptr || *number < 0)
        refuse(where, attribute, "is not a whole number from 0 on");
    return static_cast<std::uint64_t>(*number);
}

}  // namespace

std::shared_ptr<const DumpFile> DumpFile::open(const std::string& path, const DumpOptions& options,
                                               const Progress& progress)
{
    return std::make_shared<const DumpFile>(formatOf(path).open(path, options, progress));
}

DumpFile::DumpFile(Container container) : m_container(std::move(container))
{
    for (std::size_t tensor = 0; tensor < tensors().size(); ++tensor)
        m_indices.emplace(tensors()[tensor].path, tensor);
}

std::size_t DumpFile::indexOf(const std::string& nameOrPath) const
{
    std::vector<std::string> paths;
    std::size_t index = 0;
    for (std::size_t tensor = 0; tensor < tensors().size(); ++tensor) {
        const TensorInfo& info = tensors()[tensor];
        if (info.path == nameOrPath || std::ranges::count(info.parts, nameOrPath) > 0)
            return tensor;
        if (info.name == nameOrPath) {
            paths.push_back(info.path);
            index = tensor;
        }
    }
    if (paths.size() == 1)
        return index;
    if (paths.empty())
        if (const auto found = std::ranges::find_if(
                tensors(), [&](const TensorInfo& info) { return isPathOf(info, nameOrPath); });
            found != tensors().end())
            return static_cast<std::size_t>(found - tensors().begin());
    if (paths.empty())
        if (const std::vector<std::size_t> also = alsoCalled(tensors(), nameOrPath);
            also.size() == 1)
            return also.front();
    const std::string where = identity().path + ": ";
    if (paths.size() > 1)
        throw Error(Fault::Usage, where + nameOrPath + " is the name of " +
                                      std::to_string(paths.size()) +
                                      " tensors; give the path, one of " +
                                      fmt::format("{}", fmt::join(paths, ", ")));
    const std::string nearest = namesLike(tensors(), nameOrPath);
    throw Error(Fault::Input,
                where + "there is no tensor " + nameOrPath + "; " +
                    (nearest.empty() ? "calib info lists them" : "similar names: " + nearest));
}

std::optional<std::size_t> DumpFile::find(const std::string& path) const
{
    const auto found = m_indices.find(path);
    return found == m_indices.end() ? std::nullopt : std::optional{found->second};
}

std::size_t DumpFile::indexOf(const TensorInfo& understood, const char* who) const
{
    const std::optional<std::size_t> tensor = find(understood.path);
    if (!tensor || tensors()[*tensor].shape != understood.shape)
        throw std::invalid_argument(std::string(who) +
                                    " a tensor of this dump, in its recorded shape");
    return *tensor;
}

ValueSource DumpFile::source(std::size_t tensor) const
{
    return source(tensors().at(tensor));
}

ValueSource DumpFile::source(const TensorInfo& understood, std::uint64_t firstBatches,
                             const SampleRange& range) const
{
    ValueSource values =
        m_container.source(indexOf(understood, "a source needs"), understood, firstBatches, range);
    return withMask(understood, std::move(values));
}

ValueSource DumpFile::withMask(const TensorInfo& tensor, ValueSource values) const
{
    PositionMask counting = mask(tensor);
    if (!counting.counts)
        return values;
    if (tensor.role == Role::Weight || tensor.role == Role::Bias)
        throw Error(Fault::Input, identity().path + ":" + tensor.path +
                                      ": it has a mask, which is for activations; it cannot be "
                                      "read as a weight");
    values.info.mask = tensor.mask;
    return masked(std::move(values), batchFirst(std::move(counting), tensor));
}

PositionMask DumpFile::mask(const TensorInfo& tensor) const
{
    const std::size_t index = indexOf(tensor, "a mask needs");
    return tensor.mask && tensor.isReadable() && m_container.mask ? m_container.mask(index)
                                                                  : PositionMask{};
}

ValueSource DumpFile::feedSource(std::size_t feed) const
{
    const TensorInfo& info = feeds().at(feed);
    return m_container.feedSource(feed, info);
}

ValueBoxes DumpFile::boxes(const TensorInfo& understood, bool isFirstLook) const
{
    const std::size_t tensor = indexOf(understood, "boxes need");
    if (!understood.isReadable())
        throw Error(Fault::Input, identity().path + ":" + understood.path + ": " +
                                      understood.unreadable.sentence);
    return m_container.boxes(tensor, understood, isFirstLook);
}

std::uint64_t DumpFile::samplesPerCut(const TensorInfo& understood) const
{
    const std::optional<std::size_t> tensor = find(understood.path);
    return tensor && m_container.samplesPerCut && understood.isReadable()
               ? m_container.samplesPerCut(*tensor, understood)
               : 0;
}

std::optional<std::uint64_t> DumpFile::numberOf(const TensorInfo& tensor,
                                                const char* attribute) const
{
    const std::optional<std::size_t> index = find(tensor.path);
    if (!index || !m_container.datasets)
        return std::nullopt;
    const std::string where = identity().path + ":" + tensor.path;
    std::optional<std::uint64_t> first;
    for (const std::shared_ptr<const DatasetFacts>& dataset : (*m_container.datasets)[*index]) {
        const std::optional<std::uint64_t> number = wholeNumber(*dataset, where, attribute);
        if (first && number && *first != *number)
            refuse(where, attribute,
                   fmt::format("is {} in one of its datasets and {} in another", *first, *number));
        if (number)
            first = number;
    }
    return first;
}

std::optional<std::uint64_t> DumpFile::firstChannelOf(const TensorInfo& tensor) const
{
    return numberOf(tensor, firstChannelName);
}

std::optional<std::uint64_t> DumpFile::allChannelsOf(const TensorInfo& tensor) const
{
    return numberOf(tensor, allChannelsName);
}

bool DumpFile::holdsShards() const
{
    return m_container.datasets &&
           std::ranges::any_of(*m_container.datasets, [](const Datasets& ofTensor) {
               return std::ranges::any_of(ofTensor, [](const auto& dataset) {
                   return dataset->attributes.contains(firstChannelName);
               });
           });
}

std::optional<std::uint64_t> DumpFile::firstSample() const
{
    std::optional<std::uint64_t> first;
    if (const auto found = attributes().find(firstSampleName); found != attributes().end()) {
        const std::string& text = found->second;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            refuse(identity().path, firstSampleName, "is not a whole number from 0 on");
        first = number;
    }
    if (!m_container.datasets)
        return first;
    for (const Datasets& ofTensor : *m_container.datasets) {
        const std::string where = identity().path + ":" + ofTensor.front()->path;
        const std::optional<std::uint64_t> number =
            wholeNumber(*ofTensor.front(), where, firstSampleName);
        if (first && number && *first != *number)
            refuse(where, firstSampleName,
                   fmt::format("is {}, but {} elsewhere in the file; a file holds one stretch of "
                               "samples",
                               *number, *first));
        if (number)
            first = number;
    }
    return first;
}

}  // namespace calibscope
