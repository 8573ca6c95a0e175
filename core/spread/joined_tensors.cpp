// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/joined_tensors.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/base/natural_order.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace calibscope::spread {

namespace {

bool allTellFirstSample(std::span<const ListedFile> files)
{
    return std::ranges::all_of(files,
                               [](const ListedFile& file) { return file.firstSample.has_value(); });
}

bool holdsShards(const ListedFile& file)
{
    return file.holdsShards || !file.shards.empty();
}

const ListedShard* shardIn(const ListedFile& file, std::size_t tensor)
{
    const auto found = std::ranges::lower_bound(file.shards, tensor, {}, &ListedShard::tensor);
    return found == file.shards.end() || found->tensor != tensor ? nullptr : &*found;
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

/// Which files that hold shards are of the same samples.
struct SampleGroups
{
    std::vector<std::optional<std::uint64_t>> ofFile;  ///< the same number for the same samples
    bool isUnclear = false;                            ///< tensors contradict each other in it
};

/// Without first samples: the n-th files of each first channel, in their order. Weights decide only
/// where no activation does: each rank of a data-parallel recording may hold them, or one.
SampleGroups groupsByOrder(std::span<const ListedFile> files,
                           const std::vector<std::vector<JoinedPart>>& tensors)
{
    SampleGroups groups;
    groups.ofFile.resize(files.size());
    for (const bool isConstant : {false, true}) {
        const SampleGroups before = groups;
        for (const std::vector<JoinedPart>& parts : tensors) {
            std::map<std::uint64_t, std::uint64_t> count;  // of files, by first channel
            for (const JoinedPart& part : parts) {
                const ListedShard* shard = shardIn(files[part.file], part.tensor);
                if (shard == nullptr || !shard->firstChannel || before.ofFile[part.file] ||
                    hasBatches(files[part.file].tensors[part.tensor]) == isConstant)
                    continue;
                const std::uint64_t place = count[*shard->firstChannel]++;
                std::optional<std::uint64_t>& own = groups.ofFile[part.file];
                groups.isUnclear = groups.isUnclear || own.value_or(place) != place;
                own = place;
            }
        }
    }
    return groups;
}

SampleGroups groupsByNumber(std::span<const ListedFile> files)
{
    SampleGroups groups;
    for (const ListedFile& file : files)
        groups.ofFile.push_back(holdsShards(file) ? file.firstSample : std::nullopt);
    return groups;
}

/// What keeps two tensors of one path from being one, as a clause; or nothing.
std::string differenceOf(const TensorInfo& first, const TensorInfo& other,
                         const JoinedTensor& joined)
{
    std::vector<std::uint64_t> shape = other.shape;
    const auto mayDiffer = [&](const std::optional<int>& axis) {
        if (shape.size() == first.shape.size())
            shape[static_cast<std::size_t>(*axis)] = first.shape[static_cast<std::size_t>(*axis)];
    };
    if (!joined.isConstant)
        mayDiffer(first.batchAxis);
    if (joined.isSharded)
        mayDiffer(first.channelAxis);
    if (shape != first.shape)
        return "its shape is " + shapeText(other.shape) + ", not " + shapeText(first.shape);
    if (other.elementType != first.elementType)
        return "its values are " + elementText(other) + ", not " + elementText(first);
    if (other.batchAxis != first.batchAxis || other.channelAxis != first.channelAxis ||
        (!joined.isConstant && (other.batchSize == 0) != (first.batchSize == 0)))
        return "its axes are understood otherwise";
    return {};
}

void addDoubts(TensorInfo& whole, const TensorInfo& part)
{
    for (const std::string& doubt : part.doubts)
        if (std::ranges::find(whole.doubts, doubt) == whole.doubts.end())
            whole.doubts.push_back(doubt);
}

/// Of digests as numbers, 16 digits by 16: the same however parts are grouped.
std::string digestSum(const std::string& one, const std::string& other)
{
    constexpr std::size_t digits = 16;
    if (one.empty() || other.empty())
        return one + other;
    std::string sum;
    for (std::size_t first = 0; first < std::min(one.size(), other.size()); first += digits)
        sum += fmt::format("{:016x}",
                           std::strtoull(one.substr(first, digits).c_str(), nullptr, 16) +
                               std::strtoull(other.substr(first, digits).c_str(), nullptr, 16));
    return sum;
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

/// Joins the parts of one tensor.
class PartsOfTensor
{
public:
    PartsOfTensor(std::span<const ListedFile> files, const SampleGroups& samples,
                  const std::vector<JoinedPart>& parts)
        : m_files(files), m_samples(samples), m_parts(parts)
    {}

    [[nodiscard]] JoinedTensor joined(bool isByNumber)
    {
        m_joined.info = infoOf(m_parts.front());
        m_joined.isConstant = !hasBatches(m_joined.info);
        m_joined.isSharded = m_files.size() > 1 && std::ranges::any_of(m_parts, isShard());
        m_joined.parts = m_parts;
        const std::vector<std::vector<JoinedPart>> groups = groupsOfSameSamples();
        if (isByNumber && !m_joined.isConstant)
            requireApart(groups);
        refuseOddParts();
        if (m_joined.problem.empty())
            take(groups);
        return std::move(m_joined);
    }

private:
    [[nodiscard]] const TensorInfo& infoOf(const JoinedPart& part) const
    {
        return m_files[part.file].tensors[part.tensor];
    }
    [[nodiscard]] const ListedShard* shardOf(const JoinedPart& part) const
    {
        return shardIn(m_files[part.file], part.tensor);
    }
    [[nodiscard]] std::function<bool(const JoinedPart&)> isShard() const
    {
        return [this](const JoinedPart& part) { return shardOf(part) != nullptr; };
    }
    [[nodiscard]] std::uint64_t firstChannel(const JoinedPart& part) const
    {
        const ListedShard* shard = shardOf(part);
        return shard == nullptr ? 0 : shard->firstChannel.value_or(0);
    }
    [[nodiscard]] const std::string& file(const JoinedPart& part) const
    {
        return m_files[part.file].path;
    }
    /// The first thing that is wrong.
    void refuse(const JoinedPart& part, const std::string& what)
    {
        if (m_joined.problem.empty())
            m_joined.problem = file(part) + ":" + m_joined.info.path + ": " + what;
    }

    /// The parts in their order, those of the same samples together.
    [[nodiscard]] std::vector<std::vector<JoinedPart>> groupsOfSameSamples() const
    {
        std::vector<std::vector<JoinedPart>> groups;
        std::map<std::uint64_t, std::size_t> places;
        for (const JoinedPart& part : m_parts) {
            const std::optional<std::uint64_t> samples =
                m_joined.isConstant ? 0 : m_samples.ofFile[part.file];
            const std::size_t place =
                samples ? places.try_emplace(*samples, groups.size()).first->second : groups.size();
            if (place == groups.size())
                groups.emplace_back();
            groups[place].push_back(part);
        }
        return groups;
    }

    /// Throws where samples begin before those in front of them end.
    void requireApart(const std::vector<std::vector<JoinedPart>>& groups) const
    {
        for (std::size_t index = 1; index < groups.size(); ++index) {
            const ListedFile& before = m_files[groups[index - 1].front().file];
            const ListedFile& own = m_files[groups[index].front().file];
            const std::uint64_t count = infoOf(groups[index - 1].front()).sampleCount();
            if (*own.firstSample - *before.firstSample < count)
                throw Error(Fault::Usage,
                            "{}:{}: its first sample is number {}, but {} has {} from number {} "
                            "on; first_sample must tell them apart",
                            own.path, m_joined.info.path, *own.firstSample, before.path,
                            countText(count, "sample", "samples"), *before.firstSample);
        }
    }

    void refuseOddParts()
    {
        for (const JoinedPart& part : m_parts)
            if (const ListedShard* shard = shardOf(part); shard != nullptr)
                if (m_joined.problem.empty())
                    m_joined.problem = shard->problem;
        if (m_joined.isSharded)
            refuseOddShards();
        if (!m_joined.isConstant && isOfUnknownSamples())
            refuse(m_parts.front(), "files hold channel shards whose samples cannot be matched by "
                                    "name; let the recorder write first_sample");
        for (const JoinedPart& part : m_parts) {
            const TensorInfo& own = infoOf(part);
            if (m_joined.problem.empty() && !own.isReadable())
                refuse(part, own.unreadable.sentence);
            if (m_joined.problem.empty())
                if (const std::string difference = differenceOf(m_joined.info, own, m_joined);
                    !difference.empty())
                    refuse(part, difference + " as in " + file(m_parts.front()) +
                                     "; leave one of the files out");
            addDoubts(m_joined.info, own);
        }
    }

    void refuseOddShards()
    {
        const auto shard = std::ranges::find_if(m_parts, isShard());
        const auto other = std::ranges::find_if_not(m_parts, isShard());
        const std::optional<int>& axis = m_joined.info.channelAxis;
        if (other != m_parts.end())
            refuse(*other, "it has no attribute first_channel, as it has in " + file(*shard) +
                               "; record both alike, or leave one of the files out");
        else if (!axis || (!m_joined.isConstant && axis == m_joined.info.batchAxis))
            refuse(*shard, "it has the attribute first_channel, but no axis that is known to be "
                           "its channels'; give --channel-axis");
    }

    [[nodiscard]] bool isOfUnknownSamples() const
    {
        const auto isUnknown = [&](const JoinedPart& part) {
            return holdsShards(m_files[part.file]) &&
                   (m_samples.isUnclear || !m_samples.ofFile[part.file]);
        };
        return m_files.size() > 1 && m_parts.size() > 1 && std::ranges::any_of(m_parts, isUnknown);
    }

    void take(const std::vector<std::vector<JoinedPart>>& groups)
    {
        std::vector<JoinedPart> parts;
        std::vector<const TensorInfo*> heads;
        std::optional<std::uint64_t> channels;
        for (std::size_t index = 0; index < groups.size(); ++index) {
            std::vector<JoinedPart> own = groups[index];
            for (JoinedPart& part : own) {
                part.group = index;
                part.firstChannel = m_joined.isSharded ? firstChannel(part) : 0;
                refuseOtherBatches(own.front(), part);
            }
            own = withCopies(std::move(own));
            if (m_joined.isSharded)
                requireChannels(own, channels);
            heads.push_back(&infoOf(own.front()));
            std::ranges::move(own, std::back_inserter(parts));
        }
        if (!m_joined.problem.empty())
            return;
        m_joined.parts = std::move(parts);
        if (channels)
            m_joined.info.shape[static_cast<std::size_t>(*m_joined.info.channelAxis)] = *channels;
        if (heads.size() > 1)
            addLengths(m_joined, heads);
        addMask();
    }

    /// Of values without a mask all count.
    void addMask()
    {
        m_joined.info.mask.reset();
        const auto first = std::ranges::find_if(m_joined.parts, [this](const JoinedPart& part) {
            return infoOf(part).mask.has_value();
        });
        if (first == m_joined.parts.end())
            return;
        if (m_joined.parts.size() == 1) {
            m_joined.info.mask = infoOf(*first).mask;
            return;
        }
        TensorMask mask{.path = infoOf(*first).mask->path};
        for (const JoinedPart& part : m_joined.parts) {
            const TensorInfo& own = infoOf(part);
            mask.counted += own.countedValues();
            mask.of += own.mask ? own.mask->of : own.valueCount();
            mask.sha256 = digestSum(mask.sha256,
                                    own.mask ? own.mask->sha256
                                             : hexText(sha256("all of " + shapeText(own.shape))));
        }
        m_joined.info.mask = std::move(mask);
    }

    void refuseOtherBatches(const JoinedPart& first, const JoinedPart& part)
    {
        if (m_joined.isConstant)
            return;
        const TensorInfo& one = infoOf(first);
        const TensorInfo& other = infoOf(part);
        if (one.sampleCount() != other.sampleCount())
            refuse(part, "it has " + countText(other.sampleCount(), "sample", "samples") +
                             ", but " + countText(one.sampleCount(), "sample", "samples") + " in " +
                             file(first) + ", which are the same ones");
        else if (batchLength(one) != batchLength(other))
            refuse(part, "its batches are of " +
                             countText(batchLength(other), "sample", "samples") + ", not of " +
                             std::to_string(batchLength(one)) +
                             " as those of the same samples in " + file(first));
    }

    /// The parts of the same samples by channel, each with those that hold the same channels.
    [[nodiscard]] std::vector<JoinedPart> withCopies(std::vector<JoinedPart> own) const
    {
        std::ranges::stable_sort(own, {}, &JoinedPart::firstChannel);
        std::vector<JoinedPart> parts;
        for (JoinedPart& part : own)
            if (parts.empty() ||
                (m_joined.isSharded && (part.firstChannel != parts.back().firstChannel ||
                                        infoOf(part).shape != infoOf(parts.back()).shape)))
                parts.push_back(std::move(part));
            else
                parts.back().copies.push_back(std::move(part));
        return parts;
    }

    /// As many as the part says that there are.
    void requireAll(const JoinedPart& part, std::uint64_t channels)
    {
        const ListedShard* shard = shardOf(part);
        const std::uint64_t told =
            shard == nullptr ? channels : shard->allChannels.value_or(channels);
        if (told != channels && m_joined.problem.empty())
            refuse(part, "it says that there are " + countText(told, "channel", "channels") +
                             ", but the files of its samples hold " + std::to_string(channels) +
                             (told > channels
                                  ? "; name those that hold the others"
                                  : "; let the recorder write the attribute channels as it is"));
    }

    /// All channels must be there once, and in all samples as many.
    void requireChannels(const std::vector<JoinedPart>& parts, std::optional<std::uint64_t>& all)
    {
        std::uint64_t end = 0;
        const JoinedPart* before = nullptr;
        for (const JoinedPart& part : parts) {
            const std::uint64_t first = part.firstChannel;
            if (infoOf(part).channelCount() == 0)
                refuse(part, "it holds no channels");
            else if (first > end)
                refuse(part, "its first channel is number " + std::to_string(first) +
                                 ", and number " + std::to_string(end) +
                                 " is in no file of the same samples; name the file that holds it");
            else if (first < end)
                refuse(part, "its first channel is number " + std::to_string(first) + ", but " +
                                 file(*before) + " has the channels up to number " +
                                 std::to_string(end - 1) +
                                 " of the same samples; first_channel must tell them apart");
            if (!m_joined.problem.empty())
                return;
            end = first + infoOf(part).channelCount();
            before = &part;
        }
        for (const JoinedPart& part : parts)
            requireAll(part, end);
        if (!m_joined.problem.empty())
            return;
        if (all && *all != end)
            refuse(*before, "its last channel is number " + std::to_string(end - 1) + ", but " +
                                std::to_string(*all - 1) +
                                " in other samples; name the file that holds the others");
        all = end;
    }

    std::span<const ListedFile> m_files;
    const SampleGroups& m_samples;
    const std::vector<JoinedPart>& m_parts;  ///< in the order of the files
    JoinedTensor m_joined;
};

}  // namespace

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
        return naturallyBeforeWithCase(files[a].path, files[b].path);
    });
    std::vector<std::vector<JoinedPart>> tensors;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const std::size_t file : joined.order)
        for (std::size_t tensor = 0; tensor < files[file].tensors.size(); ++tensor) {
            const auto [place, isNew] =
                places.try_emplace(files[file].tensors[tensor].path, tensors.size());
            if (isNew)
                tensors.emplace_back();
            tensors[place->second].push_back({.file = file, .tensor = tensor});
        }
    const SampleGroups samples = isByNumber ? groupsByNumber(files) : groupsByOrder(files, tensors);
    for (const std::vector<JoinedPart>& parts : tensors)
        joined.tensors.push_back(PartsOfTensor(files, samples, parts).joined(isByNumber));
    return joined;
}

}  // namespace calibscope::spread
