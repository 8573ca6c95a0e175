// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/profile_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/dump/batch_first.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace calibscope::cli {

ProfileFiles::ProfileFiles(const ProfileOptions& options, const Reading& reading,
                           spread::Ranks& ranks, Complaints& complaints)
    : m_options(options), m_reading(reading)
{
    std::vector<std::string> paths;
    for (const std::string& path : options.files)
        if (std::ranges::count(options.without, path) == 0)
            paths.push_back(path);
    std::vector<std::string> own;
    for (std::size_t file = ranks.rank(); file < paths.size(); file += ranks.size())
        own.push_back(bytesOf(listed(paths[file], reading)));
    const std::vector<std::string> all = gatheredFrom(ranks, spread::packed(own));
    std::vector<std::vector<std::string>> byRank;
    for (const std::string& bytes : all)
        byRank.push_back(spread::unpacked(bytes));
    for (std::size_t file = 0; file < paths.size(); ++file)
        take(spread::fileListingFrom(byRank[file % ranks.size()].at(file / ranks.size())),
             complaints);
    if (m_listings.empty())
        throw Error(Fault::Input, "none of the files could be opened");
    if (std::ranges::none_of(m_listings, &spread::FileListing::hasMeant))
        static_cast<void>(m_options.tensors.selected(*dump(0)));  // says what is wrong
    m_joined = spread::joinedFiles(m_listed);
    m_places.resize(m_listed.size());
    for (std::size_t place = 0; place < m_joined.order.size(); ++place)
        m_places[m_joined.order[place]] = place;
    m_needs = std::make_unique<WantedNeeds>(options.histograms, options.percentiles, tensors());
    if (m_joined.isByName && ranks.rank() == 0)
        sayOnStderr("calib: note: the files are in the order of their names, since not all of them "
                    "tell their first_sample");
}

/// What this process finds in a file.
spread::FileListing ProfileFiles::listed(const std::string& path, const Reading& reading)
{
    spread::FileListing listing;
    listing.identity.path = path;
    std::shared_ptr<const DumpFile> dump;
    try {
        dump = reading.open(path, m_options.opening.dumpOptions());
    } catch (const Error& error) {
        listing.leftOut = error.what();
        return listing;
    }
    try {
        listing.identity = dump->identity();
        listing.identity.headerSha256 = headerSha256(path);
        std::error_code ignored;
        listing.canonical = std::filesystem::weakly_canonical(path, ignored).string();
        listing.isProfile = dump->isProfile();
        if (!listing.isProfile) {
            listing.firstSample = dump->firstSample();
            listing.holdsShards = dump->holdsShards();
            list(*dump, listing);
        }
    } catch (const Error& error) {
        listing.failure = error.what();
        listing.fault = error.fault();
    }
    keepOpen(path, std::move(dump));
    return listing;
}

/// Adds the tensors of a dump that are meant. A file may lack some of them, or all.
void ProfileFiles::list(const DumpFile& dump, spread::FileListing& listing) const
{
    std::vector<std::size_t> selected;
    try {
        selected = m_options.tensors.selected(dump);
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        listing.hasMeant = false;
    }
    for (const std::size_t index : selected) {
        TensorInfo tensor = m_options.layoutOverride.applied(dump.tensors()[index]);
        if (!tensor.isReadable()) {
            if (m_options.tensors.asksFor(tensor))
                listing.complaints.push_back(listing.identity.path + ":" + tensor.path + ": " +
                                             tensor.unreadable.sentence);
            continue;
        }
        spread::TensorListing& listed = listing.tensors.emplace_back();
        listed.samples = tensor.sampleCount();
        try {
            const TensorInfo visited = dump.source(tensor, m_options.layoutOverride.batches).info;
            listed.samples = visited.sampleCount();
            tensor.mask = visited.mask;
            listed.perCut = dump.samplesPerCut(tensor);
        } catch (const Error&) {
            // told when its values are read
        }
        try {
            listed.firstChannel = dump.firstChannelOf(tensor);
            if (listed.firstChannel)
                listed.allChannels = dump.allChannelsOf(tensor);
        } catch (const Error& error) {
            listed.shardProblem = error.what();
        }
        listed.info = std::move(tensor);
    }
}

void ProfileFiles::take(spread::FileListing listing, Complaints& complaints)
{
    const std::string& path = listing.identity.path;
    if (!listing.leftOut.empty()) {
        complaints.add(listing.leftOut);
        m_leftOut.push_back(listing.leftOut);
        return;
    }
    if (listing.isProfile)
        throw Error(Fault::Usage, "{} is a profile itself; calib merge puts profiles together",
                    path);
    // Stamps of one file differ where machines number their disks otherwise.
    for (const spread::FileListing& other : m_listings)
        if (other.identity.stamp == listing.identity.stamp || other.canonical == listing.canonical)
            throw Error(Fault::Usage, "{} is the same file as {}; name it once", path,
                        other.identity.path);
    if (!listing.failure.empty())
        throw Error(listing.fault, listing.failure);
    for (const std::string& complaint : listing.complaints)
        complaints.add(complaint);
    spread::ListedFile file{.path = path,
                            .firstSample = listing.firstSample,
                            .tensors = {},
                            .shards = {},
                            .holdsShards = listing.holdsShards};
    for (const spread::TensorListing& tensor : listing.tensors) {
        if (tensor.firstChannel || !tensor.shardProblem.empty())
            file.shards.push_back({.tensor = file.tensors.size(),
                                   .firstChannel = tensor.firstChannel,
                                   .allChannels = tensor.allChannels,
                                   .problem = tensor.shardProblem});
        file.tensors.push_back(tensor.info);
    }
    m_listed.push_back(std::move(file));
    m_listings.push_back(std::move(listing));
}

spread::ProfileIndex ProfileFiles::index() const
{
    spread::ProfileIndex index;
    for (const std::size_t file : m_joined.order) {
        spread::ProfiledFile& own = index.files.emplace_back();
        own.identity = m_listings[file].identity;
        own.firstSample = m_listed[file].firstSample;
        own.holdsShards = m_listed[file].holdsShards;
        for (const spread::ListedShard& shard : m_listed[file].shards) {
            const std::string& path = m_listed[file].tensors[shard.tensor].path;
            if (shard.firstChannel)
                own.firstChannels[path] = *shard.firstChannel;
            if (shard.allChannels)
                own.allChannels[path] = *shard.allChannels;
        }
    }
    index.warnings = m_leftOut;
    return index;
}

std::string ProfileFiles::key() const
{
    spread::ProfileIndex all = index();
    for (const spread::JoinedTensor& tensor : tensors())
        all.tensors.push_back(tensor.info);
    std::string text = CALIBSCOPE_VERSION;
    text += " " + std::to_string(m_options.layoutOverride.batches);
    for (const std::string& histogram : m_options.histograms)
        text += " " + histogram;
    for (const double percentile : m_options.percentiles)
        text += " " + std::to_string(percentile);
    return hexText(sha256(text + '\0' + bytesOf(all))) + "\n";
}

void ProfileFiles::keepOpen(const std::string& path, std::shared_ptr<const DumpFile> dump) const
{
    constexpr std::size_t mostOpen = 64;
    const std::scoped_lock lock(m_mutex);
    if (!m_open.emplace(path, std::move(dump)).second)
        return;
    m_opened.push_back(path);
    if (m_opened.size() <= mostOpen)
        return;
    m_open.erase(m_opened.front());
    m_opened.pop_front();
}

std::shared_ptr<const DumpFile> ProfileFiles::dump(std::size_t file) const
{
    const FileIdentity& identity = m_listings[file].identity;
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto found = m_open.find(identity.path); found != m_open.end())
            return found->second;
    }
    std::shared_ptr<const DumpFile> dump =
        m_reading.openAgain(identity.path, m_options.opening.dumpOptions());
    if (dump->identity().bytes != identity.bytes || dump->identity().modified != identity.modified)
        throw Error(Fault::Input,
                    "{}: it was changed since it was listed; wait until its recorder has ended, "
                    "and try again",
                    identity.path);
    keepOpen(identity.path, dump);
    return dump;
}

ValueSource ProfileFiles::source(const spread::JoinedPart& part, const SampleRange& range) const
{
    return dump(part.file)->source(m_listed[part.file].tensors[part.tensor],
                                   m_options.layoutOverride.batches, range);
}

TensorInfo ProfileFiles::visited(const spread::JoinedPart& part) const
{
    TensorInfo info = batchFirst(m_listed[part.file].tensors[part.tensor]);
    if (info.batchAxis)
        info.shape.at(static_cast<std::size_t>(*info.batchAxis)) =
            m_listings[part.file].tensors[part.tensor].samples;
    return info;
}

std::uint64_t ProfileFiles::perCut(const spread::JoinedPart& part) const
{
    return m_listings[part.file].tensors[part.tensor].perCut;
}

}  // namespace calibscope::cli
