// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/dump/profile_dump.h"
#include "core/dump/profile_writer.h"
#include "core/spread/joined_tensors.h"
#include "core/spread/merged_profiles.h"
#include "core/spread/profile_index.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct MergeOptions
{
    std::vector<std::string> files;
    OpeningOptions opening;
    OutputOptions output;
};

/// Where a tensor's profile lies.
struct ProfilePlace
{
    std::size_t profile = 0;
    std::size_t tensor = 0;
};

/// The files that the profiles were made of, listed as if they were there.
struct FormerFiles
{
    std::vector<std::shared_ptr<const ProfileDump>> profiles;
    std::vector<spread::ProfiledFile> files;
    std::vector<spread::ListedFile> listed;
    std::vector<std::vector<ProfilePlace>> places;  ///< of each listed tensor, by file
    std::vector<std::size_t> firstFile;             ///< of each profile, in `files`
};

bool isSameFile(const FileIdentity& one, const FileIdentity& other)
{
    return one.bytes == other.bytes && one.modified == other.modified &&
           one.headerSha256 == other.headerSha256 && !one.headerSha256.empty() &&
           one.path == other.path;
}

void addFiles(FormerFiles& former, const ProfileDump& profile)
{
    former.firstFile.push_back(former.files.size());
    for (const spread::ProfiledFile& file : profile.index().files) {
        for (const spread::ProfiledFile& other : former.files)
            if (isSameFile(file.identity, other.identity))
                throw Error(Fault::Usage,
                            "{}: it is made of {}, which is in another profile already; its values "
                            "would be counted twice",
                            profile.file().identity().path, file.identity.path);
        former.files.push_back(file);
        former.listed.push_back({.path = file.identity.path,
                                 .firstSample = file.firstSample,
                                 .tensors = {},
                                 .shards = {},
                                 .holdsShards = file.holdsShards});
        former.places.emplace_back();
    }
}

/// The part of a tensor as its file listed it, as far as the order and the axes go. What its mask
/// counts is not known by parts: the first one has it all.
TensorInfo partOf(const TensorInfo& whole, const spread::StoredPart& part, bool isFirst)
{
    TensorInfo info = whole;
    if (info.mask && !isFirst)
        info.mask = TensorMask{.path = info.mask->path};
    if (info.channelAxis && part.channels > 0)
        info.shape[static_cast<std::size_t>(*info.channelAxis)] = part.channels;
    const std::uint64_t perSample = info.valuesPerSample();
    if (info.batchAxis && perSample > 0)
        info.shape[static_cast<std::size_t>(*info.batchAxis)] = part.values / perSample;
    return info;
}

/// Lists of the part, which is listed next, that its file holds some channels alone.
void addShard(spread::ListedFile& listed, const ProfileDump& dump, const std::string& path,
              const spread::StoredPart& part)
{
    const std::string where = dump.file().identity().path + ":" + path + ": ";
    const auto& channels = dump.index().files[part.file].firstChannels;
    const auto found = channels.find(path);
    if (part.channels > 0 && (found == channels.end() || found->second != part.firstChannel))
        throw Error(Fault::Input,
                    "{}the profile is damaged: its files do not tell the channels that its parts "
                    "have; make it again",
                    where);
    if (found == channels.end())
        return;
    const auto& told = dump.index().files[part.file].allChannels;
    const auto all = told.find(path);
    listed.shards.push_back(
        {.tensor = listed.tensors.size(),
         .firstChannel = found->second,
         .allChannels = all == told.end() ? std::nullopt : std::optional(all->second),
         .problem = {}});
}

void addTensors(FormerFiles& former, std::size_t profile)
{
    const ProfileDump& dump = *former.profiles[profile];
    for (std::size_t tensor = 0; tensor < dump.index().tensors.size(); ++tensor)
        for (bool isFirst = true; const spread::StoredPart& part : dump.stored(tensor).parts) {
            if (part.file >= dump.index().files.size())
                throw Error(Fault::Input,
                            "{}: the profile is damaged: it has a part of a file that it does not "
                            "name; make it again",
                            dump.file().identity().path);
            const std::size_t file = former.firstFile[profile] + part.file;
            spread::ListedFile& listed = former.listed[file];
            const TensorInfo& info = dump.index().tensors[tensor];
            addShard(listed, dump, info.path, part);
            listed.tensors.push_back(partOf(info, part, std::exchange(isFirst, false)));
            former.places[file].push_back({.profile = profile, .tensor = tensor});
        }
}

FormerFiles openAll(const MergeOptions& options, const Reading& reading)
{
    FormerFiles former;
    for (const std::string& path : options.files) {
        const std::shared_ptr<const DumpFile> dump =
            reading.open(path, options.opening.dumpOptions());
        if (!dump->isProfile())
            throw Error(Fault::Usage, "{} is not a profile; make one of it with calib profile",
                        path);
        former.profiles.push_back(dump->profileDump());
        addFiles(former, *former.profiles.back());
    }
    for (std::size_t profile = 0; profile < former.profiles.size(); ++profile)
        addTensors(former, profile);
    return former;
}

/// A profile of a tensor, and which of the tensor's parts it holds.
struct FormerProfile
{
    ProfilePlace place;
    std::string file;  ///< the first of them
    std::set<std::size_t> parts;
};

std::vector<FormerProfile> formerProfilesOf(const spread::JoinedTensor& tensor,
                                            const FormerFiles& former)
{
    std::vector<FormerProfile> profiles;
    const auto add = [&](const spread::JoinedPart& part, std::size_t index) {
        const ProfilePlace place = former.places[part.file][part.tensor];
        auto found = std::ranges::find_if(profiles, [&](const FormerProfile& other) {
            return other.place.profile == place.profile && other.place.tensor == place.tensor;
        });
        if (found == profiles.end())
            found = profiles.insert(
                found, {.place = place, .file = former.listed[part.file].path, .parts = {}});
        found->parts.insert(index);
    };
    for (std::size_t index = 0; index < tensor.parts.size(); ++index) {
        add(tensor.parts[index], index);
        for (const spread::JoinedPart& copy : tensor.parts[index].copies)
            add(copy, index);
    }
    return profiles;
}

/// The profiles that a joined tensor comes from, with their files numbered in recorded order and
/// their channels as in the whole.
class ProfilesOfTensor
{
public:
    ProfilesOfTensor(const spread::JoinedTensor& tensor, const FormerFiles& former,
                     const std::vector<std::size_t>& order)
        : m_tensor(tensor), m_former(former), m_order(order)
    {
        for (std::size_t index = 0; index < tensor.parts.size(); ++index) {
            m_places.emplace(order[tensor.parts[index].file], index);
            for (const spread::JoinedPart& copy : tensor.parts[index].copies)
                m_places.emplace(order[copy.file], index);
        }
        for (const FormerProfile& profile : formerProfilesOf(tensor, former))
            add(profile);
        requireEqualBatches();
    }

    [[nodiscard]] spread::MergedProfile merged() const
    {
        return spread::mergedProfiles(m_stored, batchFirst(m_tensor.info), m_places);
    }

private:
    void add(const FormerProfile& profile)
    {
        spread::StoredProfile stored =
            m_former.profiles[profile.place.profile]->stored(profile.place.tensor);
        for (std::size_t taken = 0; taken < m_taken.size(); ++taken) {
            if (m_taken[taken].parts == profile.parts) {
                if (!spread::areOfEqualValues(m_stored[taken].whole, stored.whole))
                    refuse(profile.file, "its values are not those in " + m_taken[taken].file +
                                             ", though it has no batches, or is of the same "
                                             "samples");
                return;
            }
            if (std::ranges::any_of(profile.parts, [&](std::size_t part) {
                    return m_taken[taken].parts.contains(part);
                }))
                refuse(profile.file, "its profile has values of the same samples as that of " +
                                         m_taken[taken].file +
                                         ", and others; run calib profile over all files");
        }
        for (spread::StoredPart& part : stored.parts)
            part.file = m_order[m_former.firstFile[profile.place.profile] + part.file];
        if (m_tensor.isSharded)
            setChannels(stored, profile.file);
        m_taken.push_back(profile);
        m_stored.push_back(std::move(stored));
    }

    void setChannels(spread::StoredProfile& stored, const std::string& file) const
    {
        const std::vector<spread::StoredPart> former = stored.parts;
        for (std::size_t index = 0; index < former.size(); ++index) {
            const std::size_t place = m_places.at(former[index].file);
            spread::StoredPart& part = stored.parts[index];
            part.firstChannel = m_tensor.parts[place].firstChannel;
            if (part.channels == 0)
                part.channels = stored.whole.profile.channels.size();
            const bool goesOn = index > 0 && isOfSameSamples(former[index], former[index - 1]);
            if (part.firstChannel - former[index].firstChannel !=
                    stored.parts.front().firstChannel - former.front().firstChannel ||
                (goesOn && m_tensor.parts[place].group !=
                               m_tensor.parts[m_places.at(former[index - 1].file)].group))
                refuse(file, "by their names other files are of the same samples than when its "
                             "profile was made; let the recorder write first_sample, or run calib "
                             "profile over all files");
        }
    }

    void requireEqualBatches() const
    {
        std::map<std::size_t, std::uint64_t> batches;  // by samples
        for (std::size_t index = 0; index < m_stored.size() && m_tensor.isSharded; ++index)
            for (const spread::StoredPart& part : m_stored[index].parts)
                if (const auto [found, isNew] =
                        batches.emplace(m_tensor.parts[m_places.at(part.file)].group, part.batches);
                    found->second != part.batches)
                    refuse(m_taken[index].file, "its profile has other batches than those of the "
                                                "other channels of the same samples");
    }

    [[noreturn]] void refuse(const std::string& file, const std::string& what) const
    {
        throw Error(Fault::Input, "{}:{}: {}", file, m_tensor.info.path, what);
    }

    const spread::JoinedTensor& m_tensor;
    const FormerFiles& m_former;
    const std::vector<std::size_t>& m_order;
    std::map<std::uint64_t, std::size_t> m_places;  ///< among the tensor's parts, by file
    std::vector<FormerProfile> m_taken;
    std::vector<spread::StoredProfile> m_stored;  ///< of these
};

std::string listOf(const std::map<std::string, std::uint64_t>& things)
{
    return joinedText(things, "; ", [](const auto& thing) {
        return thing.first + " of " + countText(thing.second, "tensor", "tensors");
    });
}

class MergeRun
{
public:
    explicit MergeRun(const FormerFiles& former)
        : m_former(former),
          m_joined(spread::joinedFiles(former.listed)),
          m_order(former.files.size())
    {
        for (std::size_t place = 0; place < m_joined.order.size(); ++place)
            m_order[m_joined.order[place]] = place;
    }

    void write(const Reading& reading, ProfileWriter& writer, Complaints& complaints) const
    {
        spread::ProfileIndex index;
        for (const std::size_t file : m_joined.order)
            index.files.push_back(m_former.files[file]);
        for (const auto& profile : m_former.profiles)
            index.warnings.insert(index.warnings.end(), profile->index().warnings.begin(),
                                  profile->index().warnings.end());
        std::map<std::string, std::uint64_t> leftOut;  // of how many tensors
        for (const spread::JoinedTensor& tensor : m_joined.tensors) {
            reading.at(m_former.listed[tensor.parts.front().file].path, tensor.info.path);
            const std::optional<std::string> problem = inputProblem([&] {
                writer.addTensor(bytesOf(merged(tensor, leftOut)));
                index.tensors.push_back(tensor.info);
            });
            if (problem) {
                complaints.add(*problem);
                index.warnings.emplace_back(*problem);
            }
        }
        if (!leftOut.empty())
            sayOnStderr("calib: note: left out, since it takes the values to merge them: " +
                        listOf(leftOut) + "; run calib profile over all files to have them");
        reading.ends();
        writer.finish(bytesOf(index));
    }

private:
    [[nodiscard]] spread::StoredProfile merged(const spread::JoinedTensor& tensor,
                                               std::map<std::string, std::uint64_t>& leftOut) const
    {
        if (!tensor.problem.empty())
            throw Error(Fault::Input, tensor.problem);
        spread::MergedProfile merged = ProfilesOfTensor(tensor, m_former, m_order).merged();
        for (std::string& thing : merged.leftOut)
            ++leftOut[std::move(thing)];
        return std::move(merged.stored);
    }

    const FormerFiles& m_former;
    spread::JoinedFiles m_joined;
    std::vector<std::size_t> m_order;  ///< place of each former file in recorded order
};

int runMerge(const MergeOptions& options, const Reading& reading)
{
    if (options.output.path.empty())
        throw Error(Fault::Usage, "no output file; use -o P.h5");
    refuseOverwriting(options.output, options.files);
    Complaints complaints;
    const FormerFiles former = openAll(options, reading);
    const MergeRun work(former);
    ProfileWriter writer(options.output.path, {{"program", "calib " CALIBSCOPE_VERSION}});
    work.write(reading, writer, complaints);
    return complaints.exitCode();
}

}  // namespace

Command mergeCommand()
{
    const auto options = std::make_shared<MergeOptions>();
    Command command{.name = "merge", .help = "Merged profiles of different files"};
    command.add(requiredFiles(options->files, "Profiles, made by calib profile"));
    options->opening.declare(command);
    options->output.declarePath(command);
    command.run = underGuard(options, runMerge);
    return command;
}

}  // namespace calibscope::cli
