// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/profile_dump.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/dump/layout.h"
#include "core/tensor/no_values.h"

#include <limits>
#include <utility>

namespace calibscope {

namespace {

/// What was sealed in a dataset of the file.
std::string bytesAt(const DumpFile& file, const std::string& place)
{
    const std::optional<std::size_t> found = file.find(place);
    if (!found)
        throw Error(Fault::Input, file.identity().path + ": the profile is damaged: it has no " +
                                      place + "; make it again");
    TensorInfo info = file.tensors()[*found];
    info.batchAxis.reset();
    info.batchSize = 0;
    info.channelAxis.reset();
    if (info.elementType != ElementKind::Uint8)
        throw Error(Fault::Input, file.identity().path + ":" + place +
                                      ": the profile is damaged: it holds no bytes; make it again");
    std::string bytes;
    file.source(info).visit(
        [&](const Block& block) {
            for (const float value : block.values)
                bytes.push_back(static_cast<char>(static_cast<unsigned char>(value)));
        },
        {});
    const std::optional<std::string_view> content = unsealed(bytes);
    if (!content)
        throw Error(Fault::Input, file.identity().path + ":" + place +
                                      ": the profile is damaged: its SHA-256 is another than when "
                                      "it was written; make it again");
    bytes.resize(content->size());
    return bytes;
}

bool isUnderstoodAlike(const TensorInfo& one, const TensorInfo& other)
{
    return one.batchAxis == other.batchAxis && one.batchSize == other.batchSize &&
           one.channelAxis == other.channelAxis && one.elementType == other.elementType;
}

}  // namespace

std::string ProfileDump::placeOf(std::size_t tensor)
{
    return "/tensors/tensor_" + std::to_string(tensor);
}

bool ProfileDump::isOne(const std::map<std::string, std::string>& attributes)
{
    const auto found = attributes.find("format");
    return found != attributes.end() && found->second == format;
}

std::shared_ptr<const ProfileDump> ProfileDump::open(std::shared_ptr<const DumpFile> file)
{
    const std::string& path = file->identity().path;
    const auto told = file->attributes().find("format_version");
    if (told == file->attributes().end() || told->second != version)
        throw Error(Fault::Input, path + ": a profile of another version than " +
                                      std::string(version) +
                                      "; update this program or make the profile again");
    spread::ProfileIndex index =
        spread::profileIndexFrom(bytesAt(*file, std::string(indexPlace)), path);
    return std::shared_ptr<const ProfileDump>(new ProfileDump(std::move(file), std::move(index)));
}

ProfileDump::ProfileDump(std::shared_ptr<const DumpFile> file, spread::ProfileIndex index)
    : m_file(std::move(file)), m_index(std::move(index))
{}

spread::StoredProfile ProfileDump::stored(std::size_t tensor) const
{
    const TensorInfo& info = m_index.tensors.at(tensor);
    const std::string where = m_file->identity().path + ":" + info.path;
    spread::StoredProfile stored =
        spread::storedProfileFrom(bytesAt(*m_file, placeOf(tensor)), where);
    const TensorInfo visited = batchFirst(info);
    if (stored.whole.profile.info.shape != visited.shape ||
        stored.whole.profile.info.path != info.path)
        throw Error(Fault::Input,
                    where + ": the profile is damaged: it is of another tensor; make it again");
    return stored;
}

namespace {

ValueSource sourceOf(const std::shared_ptr<const ProfileDump>& dump, std::size_t tensor,
                     const TensorInfo& understood, std::uint64_t firstBatches)
{
    const std::string where = dump->file().identity().path + ":" + understood.path;
    const TensorInfo& recorded = dump->index().tensors.at(tensor);
    if (!isUnderstoodAlike(recorded, understood) || firstBatches > 0)
        throw NoValues(where, "a profile is understood as when it was made; give axes, batches and "
                              "type to calib profile, or open the dump");
    const auto stored = [dump, tensor, role = understood.role] {
        TensorProfile profile = dump->stored(tensor).whole.profile;
        profile.info.role = role;
        return profile;
    };
    return {.info = batchFirst(understood),
            .visit = [where](const BlockVisitor&, const Progress&) { throw NoValues(where); },
            .storedProfile = stored};
}

}  // namespace

Container profileContainer(std::shared_ptr<const DumpFile> file)
{
    const auto dump = ProfileDump::open(std::move(file));
    Container made{.identity = dump->file().identity(),
                   .tensors = dump->index().tensors,
                   .attributes = dump->file().attributes(),
                   .warnings = dump->index().warnings,
                   .profile = dump};
    made.attributes.insert(dump->index().attributes.begin(), dump->index().attributes.end());
    made.rules = usesOf(made.tensors);
    made.source = [dump](std::size_t tensor, const TensorInfo& understood,
                         std::uint64_t firstBatches, const SampleRange& /*all*/) {
        return sourceOf(dump, tensor, understood, firstBatches);
    };
    made.boxes = [dump](std::size_t /*tensor*/, const TensorInfo& understood,
                        bool /*isFirstLook*/) -> ValueBoxes {
        throw NoValues(dump->file().identity().path + ":" + understood.path);
    };
    return made;
}

}  // namespace calibscope
