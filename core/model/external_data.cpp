// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/external_data.h"

#include "core/base/error.h"
#include "core/model/input_file.h"
#include "core/model/tensor_values.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>

#include <onnx/onnx_pb.h>

#include <unistd.h>

namespace calibscope::model {

namespace {

namespace fs = std::filesystem;

std::string whoOf(const ::onnx::TensorProto& tensor, const std::string& modelPath)
{
    return modelPath + ":" + tensor.name();
}

std::uint64_t numberIn(const std::string& text, const std::string& key, const std::string& who)
{
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size())
        throw Error(Fault::Input, "{}: the {} of its data, \"{}\", is not a whole number", who, key,
                    text);
    return number;
}

[[noreturn]] void refuseOutside(const std::string& who, const std::string& location)
{
    throw Error(Fault::Input,
                "{}: it refers to a file outside of its folder, \"{}\"; put the model and its data "
                "into one folder",
                who, location);
}

/// The file without links; it need not exist.
fs::path insideFolder(const std::string& modelPath, const std::string& location,
                      const std::string& who)
{
    const fs::path relative(location);
    if (relative.is_absolute() || location.find('\0') != std::string::npos ||
        std::ranges::any_of(relative, [](const fs::path& part) { return part == ".."; }))
        refuseOutside(who, location);
    std::error_code failure;
    const fs::path parent = fs::path(modelPath).parent_path();
    const fs::path folder = fs::canonical(parent.empty() ? fs::path(".") : parent, failure);
    if (failure)
        throw Error(Fault::Input, "{}: its folder can't be read: {}", who, failure.message());
    fs::path file = fs::weakly_canonical(folder / relative, failure);
    if (failure)
        throw Error(Fault::Input, "{}: its data in \"{}\" can't be read: {}", who, location,
                    failure.message());
    const auto [endOfFolder, rest] = std::ranges::mismatch(folder, file);
    if (endOfFolder != folder.end() || rest == file.end())
        refuseOutside(who, location);
    return file;
}

}  // namespace

bool isExternal(const ::onnx::TensorProto& tensor)
{
    return tensor.data_location() == ::onnx::TensorProto::EXTERNAL;
}

ExternalPlace externalPlace(const ::onnx::TensorProto& tensor, const std::string& modelPath)
{
    const std::string who = whoOf(tensor, modelPath);
    ExternalPlace place;
    std::string location;
    for (const ::onnx::StringStringEntryProto& entry : tensor.external_data()) {
        if (entry.key() == "location")
            location = entry.value();
        else if (entry.key() == "offset")
            place.offset = numberIn(entry.value(), "offset", who);
        else if (entry.key() == "length")
            place.length = numberIn(entry.value(), "length", who);
    }
    if (location.empty())
        throw Error(Fault::Input, "{}: its data is in another file, which is not named", who);
    place.file = insideFolder(modelPath, location, who).string();
    return place;
}

std::optional<ExternalPlace> placeInFile(const ::onnx::TensorProto& tensor,
                                         const std::string& modelPath)
{
    if (isExternal(tensor))
        return externalPlace(tensor, modelPath);
    if (!tensor.has_segment())
        return std::nullopt;
    const auto first = static_cast<std::uint64_t>(tensor.segment().begin());
    return ExternalPlace{.file = modelPath,
                         .offset = first,
                         .length = static_cast<std::uint64_t>(tensor.segment().end()) - first};
}

void requireLength(const ExternalPlace& place, std::uint64_t bytes, const std::string& who)
{
    if (place.length && *place.length != bytes)
        throw Error(Fault::Input, "{}: its data in {} has {} bytes, its shape needs {}", who,
                    place.file, *place.length, bytes);
}

std::string readExternal(const ExternalPlace& place, std::uint64_t bytes, const std::string& who)
{
    requireLength(place, bytes, who);
    const InputFile file(place.file, who + ": its data in " + place.file);
    if (place.offset > file.bytes() || bytes > file.bytes() - place.offset)
        throw Error(Fault::Input, "{}: its data ends behind the end of {}, which has {} bytes", who,
                    place.file, file.bytes());
    std::string read(bytes, '\0');
    for (std::size_t have = 0; have < read.size();) {
        const ::ssize_t count = ::pread(file.descriptor(), read.data() + have, read.size() - have,
                                        static_cast<::off_t>(place.offset + have));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            throw Error(Fault::Input, "{}: its data in {} could not be read: {}", who, place.file,
                        count == 0 ? "it ends early" : std::generic_category().message(errno));
        have += static_cast<std::size_t>(count);
    }
    return read;
}

std::uint64_t externalLength(const ::onnx::TensorProto& tensor, const std::string& modelPath)
{
    if (const std::optional<std::uint64_t> bytes = storedBytes(tensor, modelPath))
        return *bytes;
    const ExternalPlace place = externalPlace(tensor, modelPath);
    if (!place.length)
        throw Error(Fault::Input, "{}: the length of its data in {} is not known",
                    whoOf(tensor, modelPath), place.file);
    return *place.length;
}

std::string externalBytes(const ::onnx::TensorProto& tensor, const std::string& modelPath)
{
    return readExternal(externalPlace(tensor, modelPath), externalLength(tensor, modelPath),
                        whoOf(tensor, modelPath));
}

}  // namespace calibscope::model
