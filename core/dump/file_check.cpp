// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/file_check.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/find_by_id.h"
#include "core/base/folder_files.h"
#include "core/base/hex.h"
#include "core/base/number_text.h"
#include "core/base/open_descriptor.h"
#include "core/dump/container.h"
#include "core/tensor/container_kind.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <ctime>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view toHdf5 = "write the arrays into an HDF5 file, with h5py: "
                                    "file.create_dataset(name, data=array) for each";
constexpr std::string_view runModel = "a model holds no activations: run it, and write its weights "
                                      "and recorded activations into an HDF5 file with h5py";
constexpr std::string_view unpack = "unpack it first";
constexpr std::string_view toSafetensors =
    "it can run any program when it is read; in Python: import torch, safetensors.torch as s; "
    "s.save_file({k: v.contiguous() for k, v in torch.load(FILE, weights_only=True).items()}, "
    "\"model.safetensors\")";

struct Signature
{
    std::size_t offset;
    std::string_view bytes;
    std::string_view what;
    std::string_view remedy;
};

constexpr std::array signatures{
    Signature{0, "\x0e\x03\x13\x01"sv, "an HDF4 file", "convert it with h4toh5"},
    Signature{0, "CDF\x01"sv, "a classic netCDF file", "convert it with nccopy -k netCDF-4"},
    Signature{0, "CDF\x02"sv, "a classic netCDF file", "convert it with nccopy -k netCDF-4"},
    Signature{4, "TFL3"sv, "a TensorFlow Lite model", runModel},
    Signature{0, "\x80\x02"sv, "a Python pickle, perhaps of PyTorch", toSafetensors},
    Signature{0, "\x80\x03"sv, "a Python pickle, perhaps of PyTorch", toSafetensors},
    Signature{0, "\x80\x04"sv, "a Python pickle", toHdf5},
    Signature{0, "\x80\x05"sv, "a Python pickle", toHdf5},
    Signature{0, "\x1f\x8b"sv, "compressed with gzip as a whole", unpack},
    Signature{0, "\x28\xb5\x2f\xfd"sv, "compressed with zstd as a whole", unpack},
    Signature{0,
              "\xfd"
              "7zXZ"sv,
              "compressed with xz as a whole", unpack},
    Signature{0, "BZh"sv, "compressed with bzip2 as a whole", unpack},
    Signature{257, "ustar"sv, "a tar archive", unpack},
    Signature{0, "version https://git-lfs"sv, "a Git LFS pointer, not the file itself",
              "fetch it with git lfs pull"},
    Signature{0, "{\"lst\": ["sv, "a JSON text of Polygraphy",
              "resources/recorders/polygraphy_to_npy.py makes a folder of .npy files of it"},
};

bool hasAt(std::string_view text, std::size_t offset, std::string_view part)
{
    return text.size() >= offset && text.substr(offset).starts_with(part);
}

bool mentions(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::string sentence(std::string_view what, std::string_view remedy)
{
    return std::string(what) + "; " + std::string(remedy);
}

/// Zip archives differ by their members' names, of which the first stands at byte 30.
std::string zipFormat(std::string_view firstBytes, std::string_view path)
{
    if (path.ends_with(".keras") || mentions(firstBytes, "model.weights.h5"))
        return sentence("a Keras 3 archive (.keras)",
                        "unpack it (it is a zip file) and open model.weights.h5 from it, or save "
                        "with model.save_weights(\"model.weights.h5\")");
    if (mentions(firstBytes, "data.pkl") || path.ends_with(".pt") || path.ends_with(".pth"))
        return sentence("a PyTorch archive", toSafetensors);
    return sentence("a zip archive", unpack);
}

bool isText(std::string_view firstBytes)
{
    return std::ranges::none_of(firstBytes, [](unsigned char byte) {
        return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
    });
}

}  // namespace

std::string otherFormat(std::string_view firstBytes, std::string_view path)
{
    if (firstBytes.empty())
        return sentence("an empty file", "record it again, or let its writer flush or close it");
    if (firstBytes.starts_with("PK\x03\x04"))
        return zipFormat(firstBytes, path);
    for (const Signature& signature : signatures)
        if (hasAt(firstBytes, signature.offset, signature.bytes))
            return sentence(signature.what, signature.remedy);
    if (firstBytes.find_first_not_of('\0') == std::string_view::npos)
        return sentence("a file that begins with zero bytes",
                        "it may be a failed copy, or still being written: copy it again, or let "
                        "its writer close it");
    if (isText(firstBytes))
        return sentence(firstBytes.front() == '{' || firstBytes.front() == '[' ? "a JSON text"
                                                                               : "a text file",
                        toHdf5);
    return sentence("a binary file of another kind", toHdf5);
}

namespace {

using namespace std::string_view_literals;

constexpr std::string_view signature = "\x89HDF\r\n\x1a\n"sv;
constexpr std::size_t firstUserBlock = 512;
constexpr std::size_t inspectedBytes = std::size_t{64} << 10;  // superblocks behind larger user
                                                               // blocks are left to the library

[[noreturn]] void fail(const std::string& path, const std::string& text)
{
    throw Error(Fault::Input, path + ": " + text);
}

std::string reason(int errorNumber)
{
    std::string text = std::generic_category().message(errorNumber);
    if (errorNumber == ENOENT)
        return text + "; check the path";
    if (errorNumber == EACCES)
        return text + "; ask its owner for permission to read it";
    return text;
}

/// The first bytes; nothing, with errno, where they can't be read.
std::optional<std::string> startOf(int descriptor)
{
    std::string bytes(inspectedBytes, '\0');
    const ssize_t count = ::pread(descriptor, bytes.data(), bytes.size(), 0);
    if (count < 0)
        return std::nullopt;
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
}

std::string utcText(const timespec& time)
{
    std::tm parts{};
    ::gmtime_r(&time.tv_sec, &parts);
    std::array<char, 32> text{};
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

std::string stampText(const struct stat& status)
{
    const auto nanoseconds = [](const timespec& time) {
        return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
    };
    return "device " + std::to_string(status.st_dev) + ", inode " + std::to_string(status.st_ino) +
           ", " + std::to_string(status.st_size) + " bytes, modified " +
           nanoseconds(status.st_mtim) + ", changed " + nanoseconds(status.st_ctim);
}

/// A little-endian number; nothing beyond the end of the bytes.
std::optional<std::uint64_t> numberAt(std::string_view bytes, std::size_t offset, std::size_t size)
{
    if (size == 0 || size > 8 || offset > bytes.size() || bytes.size() - offset < size)
        return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t byte = size; byte-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[offset + byte]);
    return number;
}

/// Where the base address stands, behind which come one more address and the end of file.
struct AddressFields
{
    std::size_t sizeOfOffsetsAt;
    std::size_t baseAddressAt;
};

std::optional<AddressFields> addressFields(std::uint64_t version)
{
    switch (version) {
    case 0: return AddressFields{.sizeOfOffsetsAt = 13, .baseAddressAt = 24};
    case 1: return AddressFields{.sizeOfOffsetsAt = 13, .baseAddressAt = 28};
    case 2:
    case 3: return AddressFields{.sizeOfOffsetsAt = 9, .baseAddressAt = 12};
    default: return std::nullopt;
    }
}

Superblock readSuperblock(std::string_view bytes, std::uint64_t address)
{
    Superblock superblock{.address = address, .endOfFile = {}, .breaksOff = true};
    const auto version = numberAt(bytes, signature.size(), 1);
    if (!version)
        return superblock;
    const auto fields = addressFields(*version);
    superblock.breaksOff = fields.has_value();  // an unknown version is left to the library
    const auto size = fields ? numberAt(bytes, fields->sizeOfOffsetsAt, 1) : std::nullopt;
    if (size)
        superblock.endOfFile = numberAt(bytes, fields->baseAddressAt + 2 * *size, *size);
    if (superblock.endOfFile)
        superblock.breaksOff = false;
    return superblock;
}

/// Of a folder or a list: the files together. Its own times say nothing of them.
FileIdentity folderIdentity(const std::string& path, const struct stat& folder)
{
    FileIdentity identity{.path = path};
    timespec modified{};
    Sha256 digest;
    for (const FolderFile& file : folderDumpFiles(path)) {
        identity.bytes += static_cast<std::uint64_t>(file.status.st_size);
        digest.add(file.name + '\0' + stampText(file.status) + '\n');
        if (file.status.st_mtim.tv_sec > modified.tv_sec)
            modified = file.status.st_mtim;
    }
    identity.modified = utcText(modified);
    identity.stamp = "device " + std::to_string(folder.st_dev) + ", inode " +
                     std::to_string(folder.st_ino) + ", files " + hexText(digest.finish());
    return identity;
}

void requireWhole(const std::string& path, std::string_view start, std::uint64_t fileBytes)
{
    const std::optional<Superblock> superblock = findSuperblock(start);
    const bool endsInSignature = !start.empty() && signature.starts_with(start);
    if (!superblock && !endsInSignature) {
        if (containerFormat(start, path) != nullptr)
            return;
        if (start.size() < inspectedBytes || !start.starts_with('\0'))
            fail(path, "is not an HDF5 file but " + otherFormat(start, path));
        return;  // zeros: perhaps a large user block
    }
    if (endsInSignature || superblock->breaksOff)
        fail(path, "is truncated within its HDF5 header, or still being written, after " +
                       numberText(fileBytes) + " bytes; copy or record it again");
    if (superblock->endOfFile.value_or(0) > fileBytes)
        fail(path, "is truncated, or still being written: it has " + numberText(fileBytes) +
                       " of the " + numberText(*superblock->endOfFile) +
                       " bytes that its header states; copy or record it again");
}

}  // namespace

std::optional<Superblock> findSuperblock(std::string_view firstBytes)
{
    for (std::size_t address = 0; address < firstBytes.size();
         address = address == 0 ? firstUserBlock : 2 * address)
        if (firstBytes.substr(address).starts_with(signature))
            return readSuperblock(firstBytes.substr(address), address);
    return std::nullopt;
}

const ContainerFormat& formatOf(const std::string& path)
{
    const OpenDescriptor file(path);
    struct stat status
    {
    };
    if (file.isOpen() && ::fstat(file.number(), &status) == 0 &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        if (const ContainerFormat* const found =
                containerFormat(startOf(file.number()).value_or(""), path))
            return *found;
    return findById(containerFormats(), "hdf5", "container format");
}

std::string stampOf(int descriptor)
{
    struct stat status
    {
    };
    return ::fstat(descriptor, &status) == 0 ? stampText(status) : std::string();
}

std::uint64_t bytesOf(int descriptor)
{
    struct stat status
    {
    };
    return ::fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string_view fileOf(std::string_view stamp)
{
    return stamp.substr(0, stamp.find(", ", stamp.find("inode ")));  // they stand first
}

bool isSameFile(std::string_view stamp, std::string_view otherStamp)
{
    return !stamp.empty() && fileOf(stamp) == fileOf(otherStamp);
}

FileIdentity checkedIdentity(const std::string& path)
{
    const OpenDescriptor file(path);
    if (!file.isOpen())
        fail(path, reason(errno));
    struct stat status
    {
    };
    if (::fstat(file.number(), &status) != 0)
        fail(path, reason(errno));
    if ((S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)) && isFolderDump(path))
        return folderIdentity(path, status);
    if (S_ISDIR(status.st_mode))
        fail(path, "is a folder; give " + containerTitles());
    if (!S_ISREG(status.st_mode))
        fail(path, "is not a regular file; give " + containerTitles());
    const auto fileBytes = static_cast<std::uint64_t>(status.st_size);
    const std::optional<std::string> start = startOf(file.number());
    if (!start)
        fail(path, reason(errno));
    requireWhole(path, *start, fileBytes);
    return {.path = path,
            .bytes = fileBytes,
            .modified = utcText(status.st_mtim),
            .sha256 = {},
            .headerSha256 = {},
            .stamp = stampText(status)};
}

FileIdentity checkedIdentity(const std::string& path, std::span<const std::string> others)
{
    FileIdentity identity = checkedIdentity(path);
    for (const std::string& other : others) {
        struct stat status
        {
        };
        identity.stamp +=
            "; " + (::stat(other.c_str(), &status) == 0 ? stampText(status) : std::string("gone"));
    }
    return identity;
}

}  // namespace calibscope
