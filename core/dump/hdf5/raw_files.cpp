#include "core/dump/hdf5/raw_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

namespace calibscope::hdf5 {

namespace {

/// A stretch of a raw file.
struct Segment
{
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  ///< H5F_UNLIMITED: as far as the file goes
};

Segment segmentAt(hid_t creationProperties, unsigned index)
{
    std::array<char, 4096> name{};
    off_t offset = 0;
    hsize_t bytes = 0;
    if (H5Pget_external(creationProperties, index, name.size() - 1, name.data(), &offset, &bytes) <
        0)
        return {};
    return {.file = name.data(), .offset = static_cast<std::uint64_t>(offset), .bytes = bytes};
}

std::string problemOf(const Segment& segment, std::uint64_t wanted, const OtherFiles& others)
{
    const std::string place = "its values lie in the file " + segment.file;
    const std::optional<std::string> path = others.find(segment.file);
    if (!path)
        return place + ", which is not there; put it beside this one";
    std::error_code unknown;
    const std::uint64_t fileBytes = std::filesystem::file_size(*path, unknown);
    if (unknown || segment.offset > fileBytes || wanted > fileBytes - segment.offset)
        return fmt::format("{}, which is too short: {} bytes are needed from byte {} on; copy or "
                           "record it again",
                           place, wanted, segment.offset);
    return {};
}

}  // namespace

Unreadable rawFilesProblem(hid_t creationProperties, std::uint64_t neededBytes,
                           const OtherFiles& others)
{
    const int count = H5Pget_external_count(creationProperties);
    std::uint64_t rest = neededBytes;
    for (int index = 0; index < count; ++index) {
        const Segment segment = segmentAt(creationProperties, static_cast<unsigned>(index));
        if (!others.areAllowed())
            return onlyIfAllowed("its values lie in the file " + segment.file);
        const std::uint64_t wanted = std::min(rest, segment.bytes);
        if (const std::string problem = problemOf(segment, wanted, others); !problem.empty())
            return problem;
        rest -= wanted;
    }
    if (count > 0 && rest > 0)
        return fmt::format("its raw files hold {} bytes less than its shape needs; record it again",
                           rest);
    return {};
}

}  // namespace calibscope::hdf5
