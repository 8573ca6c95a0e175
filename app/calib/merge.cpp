#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
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
                throw Error(Fault::Usage, profile.file().identity().path + ": it is made of " +
                                              file.identity.path +
                                              ", which is in another profile already; its values "
                                              "would be counted twice");
        former.files.push_back(file);
        former.listed.push_back({.path = file.identity.path,
                                 .firstSample = file.firstSample,
                                 .tensors = {},
                                 .shards = {}});
        former.places.emplace_back();
    }
}

/// The part of a tensor as its file listed it, as far as the order and the axes go.
TensorInfo partOf(const TensorInfo& whole, const spread::StoredPart& part)
{
    TensorInfo info = whole;
    const std::uint64_t perSample = whole.valuesPerSample();
    if (info.batchAxis && perSample > 0)
        info.shape[static_cast<std::size_t>(*info.batchAxis)] = part.values / perSample;
    return info;
}

void addTensors(FormerFiles& former, std::size_t profile)
{
    const ProfileDump& dump = *former.profiles[profile];
    for (std::size_t tensor = 0; tensor < dump.index().tensors.size(); ++tensor)
        for (const spread::StoredPart& part : dump.stored(tensor).parts) {
            if (part.file >= dump.index().files.size())
                throw Error(Fault::Input, dump.file().identity().path +
                                              ": the profile is damaged: it has a part of a file "
                                              "that it does not name; make it again");
            const std::size_t file = former.firstFile[profile] + part.file;
            spread::ListedFile& listed = former.listed[file];
            const TensorInfo& info = dump.index().tensors[tensor];
            if (std::ranges::count(dump.index().files[part.file].shards, info.path) > 0)
                listed.shards.push_back(listed.tensors.size());
            listed.tensors.push_back(partOf(info, part));
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
            throw Error(Fault::Usage, path + " is no profile; make one of it with calib profile");
        former.profiles.push_back(dump->profileDump());
        addFiles(former, *former.profiles.back());
    }
    for (std::size_t profile = 0; profile < former.profiles.size(); ++profile)
        addTensors(former, profile);
    return former;
}

/// The profiles that a joined tensor comes from, with their files numbered in recorded order.
std::vector<spread::StoredProfile> profilesOf(const spread::JoinedTensor& tensor,
                                              const FormerFiles& former,
                                              const std::vector<std::size_t>& order)
{
    std::vector<ProfilePlace> places;
    for (const spread::JoinedPart& part : tensor.parts) {
        const ProfilePlace place = former.places[part.file][part.tensor];
        if (std::ranges::none_of(places, [&](const ProfilePlace& other) {
                return other.profile == place.profile && other.tensor == place.tensor;
            }))
            places.push_back(place);
    }
    std::vector<spread::StoredProfile> profiles;
    for (const ProfilePlace& place : places) {
        profiles.push_back(former.profiles[place.profile]->stored(place.tensor));
        for (spread::StoredPart& part : profiles.back().parts)
            part.file = order[former.firstFile[place.profile] + part.file];
    }
    return profiles;
}

/// One profile of a tensor of which each file has all the values.
spread::StoredProfile constantOf(const spread::JoinedTensor& tensor, const FormerFiles& former,
                                 std::vector<spread::StoredProfile> profiles)
{
    for (std::size_t index = 1; index < profiles.size(); ++index)
        if (!spread::areOfEqualValues(profiles.front().whole, profiles[index].whole))
            throw Error(Fault::Input, former.listed[tensor.parts[index].file].path + ":" +
                                          tensor.info.path + ": its values are not those in " +
                                          former.listed[tensor.parts.front().file].path +
                                          ", though it has no batches");
    return std::move(profiles.front());
}

std::string listOf(const std::map<std::string, std::uint64_t>& things)
{
    std::string text;
    for (const auto& [thing, tensors] : things)
        text +=
            (text.empty() ? "" : "; ") + thing + " of " + countText(tensors, "tensor", "tensors");
    return text;
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
            try {
                writer.addTensor(bytesOf(merged(tensor, leftOut)));
                index.tensors.push_back(tensor.info);
            } catch (const Error& error) {
                if (error.fault() != Fault::Input)
                    throw;
                complaints.add(error.what());
                index.warnings.emplace_back(error.what());
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
        std::vector<spread::StoredProfile> profiles = profilesOf(tensor, m_former, m_order);
        if (tensor.isConstant)
            return constantOf(tensor, m_former, std::move(profiles));
        spread::MergedProfile merged = spread::mergedProfiles(profiles);
        merged.stored.whole.profile.info = batchFirst(tensor.info);
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
        throw Error(Fault::Usage, "a profile is a file of HDF5; name it with -o P.h5");
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
    Command command{.name = "merge", .help = "Profiles of different files, put together"};
    command.add({.names = "files",
                 .target = &options->files,
                 .help = "Profiles, made by calib profile",
                 .type = "FILE",
                 .isRequired = true});
    options->opening.declare(command);
    options->output.declarePath(command);
    command.run = underGuard(options, runMerge);
    return command;
}

}  // namespace calibscope::cli
