#include "core/spread/joined_tensors.h"

#include "core/base/error.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace calibscope::spread {

namespace {

bool isDigit(char character)
{
    return character >= '0' && character <= '9';
}

/// The digits from a place on, without leading zeros.
std::string_view digitsAt(std::string_view text, std::size_t place, std::size_t& end)
{
    end = place;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    while (place < end && text[place] == '0')
        ++place;
    return text.substr(place, end - place);
}

/// Below, at or above 0 as the names compare.
int naturalOrder(std::string_view left, std::string_view right)
{
    std::size_t l = 0;
    std::size_t r = 0;
    while (l < left.size() && r < right.size()) {
        if (isDigit(left[l]) && isDigit(right[r])) {
            const std::string_view a = digitsAt(left, l, l);
            const std::string_view b = digitsAt(right, r, r);
            if (a.size() != b.size())
                return a.size() < b.size() ? -1 : 1;
            if (const int order = a.compare(b); order != 0)
                return order;
        } else if (left[l] != right[r]) {
            return static_cast<unsigned char>(left[l]) < static_cast<unsigned char>(right[r]) ? -1
                                                                                              : 1;
        } else {
            ++l;
            ++r;
        }
    }
    if (l < left.size() || r < right.size())
        return l < left.size() ? 1 : -1;
    return 0;
}

bool allTellFirstSample(std::span<const ListedFile> files)
{
    return std::ranges::all_of(files,
                               [](const ListedFile& file) { return file.firstSample.has_value(); });
}

bool hasBatches(const TensorInfo& info)
{
    return info.batchAxis && info.role != Role::Weight && info.role != Role::Bias &&
           !info.shape.empty();
}

std::uint64_t batchLength(const TensorInfo& info)
{
    return info.batchSize == 0 ? info.sampleCount() : info.batchSize;
}

/// What keeps two tensors of one path from being one, as a clause; or nothing.
std::string differenceOf(const TensorInfo& first, const TensorInfo& other, bool isConstant)
{
    std::vector<std::uint64_t> shape = other.shape;
    if (!isConstant && shape.size() == first.shape.size()) {
        const auto axis = static_cast<std::size_t>(*first.batchAxis);
        shape[axis] = first.shape[axis];
    }
    if (shape != first.shape)
        return "its shape is " + shapeText(other.shape) + ", not " + shapeText(first.shape);
    if (other.elementType != first.elementType)
        return "its values are " + elementText(other) + ", not " + elementText(first);
    if (other.batchAxis != first.batchAxis || other.channelAxis != first.channelAxis ||
        (!isConstant && (other.batchSize == 0) != (first.batchSize == 0)))
        return "its axes are understood otherwise";
    return {};
}

void addDoubts(TensorInfo& whole, const TensorInfo& part)
{
    for (const std::string& doubt : part.doubts)
        if (std::ranges::find(whole.doubts, doubt) == whole.doubts.end())
            whole.doubts.push_back(doubt);
}

/// The samples of all parts, in batches as long as those of the first one.
void addLengths(JoinedTensor& joined, const std::vector<const TensorInfo*>& parts)
{
    TensorInfo& info = joined.info;
    const auto axis = static_cast<std::size_t>(*info.batchAxis);
    const std::uint64_t length = batchLength(info);
    std::uint64_t samples = 0;
    std::vector<std::uint64_t> kept;
    bool tellsKept = true;
    for (const TensorInfo* part : parts) {
        samples += part->sampleCount();
        tellsKept = tellsKept && part->samples.size() == part->sampleCount();
        kept.insert(kept.end(), part->samples.begin(), part->samples.end());
    }
    info.shape[axis] = samples;
    info.batchSize = length;
    info.samples = tellsKept ? kept : std::vector<std::uint64_t>();
}

/// The first part that holds some channels alone, where there are others; nothing without one.
const ListedFile* shardIn(const JoinedTensor& joined, std::span<const ListedFile> files)
{
    for (const JoinedPart& part : joined.parts)
        if (joined.parts.size() > 1 && std::ranges::count(files[part.file].shards, part.tensor) > 0)
            return &files[part.file];
    return nullptr;
}

void join(JoinedTensor& joined, std::span<const ListedFile> files)
{
    std::vector<const TensorInfo*> parts;
    for (const JoinedPart& part : joined.parts)
        parts.push_back(&files[part.file].tensors[part.tensor]);
    joined.info = *parts.front();
    joined.isConstant = !hasBatches(joined.info);
    if (const ListedFile* shard = shardIn(joined, files))
        joined.problem = shard->path + ":" + joined.info.path +
                         ": its attribute first_channel says that each file holds other channels "
                         "of it, and these are not put together; profile the files one by one";
    for (std::size_t index = 0; index < parts.size(); ++index) {
        const ListedFile& file = files[joined.parts[index].file];
        const std::string difference = differenceOf(joined.info, *parts[index], joined.isConstant);
        if (joined.problem.empty() && !parts[index]->isReadable())
            joined.problem =
                file.path + ":" + joined.info.path + ": " + parts[index]->unreadable.sentence;
        if (joined.problem.empty() && !difference.empty())
            joined.problem = file.path + ":" + joined.info.path + ": " + difference + " as in " +
                             files[joined.parts.front().file].path +
                             "; leave one of the files out with --without";
        addDoubts(joined.info, *parts[index]);
    }
    if (joined.problem.empty() && !joined.isConstant && parts.size() > 1)
        addLengths(joined, parts);
}

/// Throws where a tensor's part begins before the one in front of it ends.
void requireApart(const JoinedTensor& joined, std::span<const ListedFile> files)
{
    for (std::size_t index = 1; index < joined.parts.size() && !joined.isConstant; ++index) {
        const ListedFile& before = files[joined.parts[index - 1].file];
        const ListedFile& file = files[joined.parts[index].file];
        const std::uint64_t count = before.tensors[joined.parts[index - 1].tensor].sampleCount();
        if (*file.firstSample - *before.firstSample < count)
            throw Error(Fault::Usage,
                        file.path + ":" + joined.info.path + ": its first sample is number " +
                            std::to_string(*file.firstSample) + ", but " + before.path + " has " +
                            countText(count, "sample", "samples") + " from number " +
                            std::to_string(*before.firstSample) +
                            " on; first_sample must tell them apart");
    }
}

}  // namespace

bool isNaturallyLess(std::string_view left, std::string_view right)
{
    const int order = naturalOrder(left, right);
    return order != 0 ? order < 0 : left < right;
}

JoinedFiles joinedFiles(std::span<const ListedFile> files)
{
    JoinedFiles joined;
    joined.order.resize(files.size());
    std::iota(joined.order.begin(), joined.order.end(), std::size_t{0});
    const bool isByNumber = files.size() > 1 && allTellFirstSample(files);
    joined.isByName = files.size() > 1 && !isByNumber;
    std::ranges::sort(joined.order, [&](std::size_t a, std::size_t b) {
        if (isByNumber && files[a].firstSample != files[b].firstSample)
            return files[a].firstSample < files[b].firstSample;
        return isNaturallyLess(files[a].path, files[b].path);
    });
    std::unordered_map<std::string_view, std::size_t> places;
    for (const std::size_t file : joined.order)
        for (std::size_t tensor = 0; tensor < files[file].tensors.size(); ++tensor) {
            const auto [place, isNew] =
                places.try_emplace(files[file].tensors[tensor].path, joined.tensors.size());
            if (isNew)
                joined.tensors.emplace_back();
            joined.tensors[place->second].parts.push_back({.file = file, .tensor = tensor});
        }
    for (JoinedTensor& tensor : joined.tensors) {
        join(tensor, files);
        if (isByNumber && shardIn(tensor, files) == nullptr)
            requireApart(tensor, files);
    }
    return joined;
}

}  // namespace calibscope::spread
