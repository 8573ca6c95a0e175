// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/file_check.h"

#include "core/base/error.h"
#include "core/tensor/container_kind.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace file_check_test {

using namespace calibscope;
using namespace std::string_literals;

const std::string signature = "\x89HDF\r\n\x1a\n"s;

/// A number as 8 little-endian bytes.
std::string eightBytes(unsigned value)
{
    std::string bytes(8, '\0');
    for (std::size_t byte = 0; byte < 4; ++byte)
        bytes[byte] = static_cast<char>(value >> (8 * byte));
    return bytes;
}

/// Version 0: signature, versions, sizes of offsets and lengths, tree constants, flags; then base,
/// free space, end of file.
std::string superblock0(unsigned endOfFile)
{
    return signature + "\0\0\0\0\0\x08\x08\0"s + "\x04\0\x10\0\0\0\0\0"s + eightBytes(0) +
           std::string(8, '\xff') + eightBytes(endOfFile);
}

/// Version 2: signature, version, sizes, flags; then base, extension, end of file.
std::string superblock2(unsigned endOfFile)
{
    return signature + "\x02\x08\x08\0"s + eightBytes(0) + std::string(8, '\xff') +
           eightBytes(endOfFile);
}

std::string complaintAbout(const std::string& path)
{
    try {
        static_cast<void>(checkedIdentity(path));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return "none";
}

TEST_CASE("the superblock is found at 0 and behind user blocks of 512, 1024, ... bytes")
{
    for (const std::size_t address : {0U, 512U, 1024U, 2048U, 32768U}) {
        const auto found = findSuperblock(std::string(address, 'u') + superblock0(5000));
        REQUIRE(found);
        CHECK(found->address == address);
        CHECK(found->endOfFile == 5000U);
        CHECK_FALSE(found->breaksOff);
    }
    CHECK_FALSE(findSuperblock(std::string(100, 'u') + superblock0(5000)));
    CHECK_FALSE(findSuperblock(""));
}

TEST_CASE("the end of file is read from superblocks of every version")
{
    CHECK(findSuperblock(superblock0(77777))->endOfFile == 77777U);
    CHECK(findSuperblock(superblock2(77777))->endOfFile == 77777U);
    std::string version1 = superblock0(77777);
    version1[8] = '\x01';
    version1.insert(24, 4, '\0');  // a constant more, and reserved bytes
    CHECK(findSuperblock(version1)->endOfFile == 77777U);
}

TEST_CASE("a superblock that breaks off is told from one of an unknown version")
{
    for (const std::string& whole : {superblock0(5000), superblock2(5000)})
        for (std::size_t length = signature.size(); length < whole.size(); ++length)
            CHECK(findSuperblock(whole.substr(0, length))->breaksOff);
    std::string unknown = superblock2(5000);
    unknown[8] = '\x63';
    CHECK_FALSE(findSuperblock(unknown)->breaksOff);
    CHECK_FALSE(findSuperblock(unknown)->endOfFile);
}

TEST_CASE("a file that breaks off is refused with both sizes")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("cut.h5");
    test::writeBytes(path, superblock0(5000));
    CHECK(complaintAbout(path) == path +
                                      ": is truncated, or still being written: it has 48 of the "
                                      "5000 bytes that its header states; copy or record it again");
    test::writeBytes(path, superblock0(5000).substr(0, 30));
    CHECK(complaintAbout(path) ==
          path + ": is truncated within its HDF5 header, or still being written, after 30 bytes; "
                 "copy or record it again");
    test::writeBytes(path, signature.substr(0, 3));
    CHECK_THAT(complaintAbout(path), test::containsText("written, after 3 bytes"));
}

TEST_CASE("a path that is not a readable regular file is refused with the reason")
{
    const test::TemporaryFolder folder;
    CHECK(complaintAbout(folder.file("none.h5")) ==
          folder.file("none.h5") + ": No such file or directory; check the path");
    CHECK(complaintAbout(folder.path().string()) ==
          folder.path().string() + ": is a folder; give " + containerTitles());
    const std::string pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(complaintAbout(pipe) == pipe + ": is not a regular file; give " + containerTitles());
    const std::string locked = folder.file("locked.h5");
    test::writeBytes(locked, "x");
    REQUIRE(::chmod(locked.c_str(), 0) == 0);
    if (::geteuid() != 0)  // root may read everything
        CHECK_THAT(complaintAbout(locked), test::containsText("Permission denied; ask its owner"));
}

TEST_CASE("an empty file and other formats are refused by what they are")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.h5");
    test::writeBytes(path, "");
    CHECK(
        complaintAbout(path) ==
        path +
            ": is not an HDF5 file but an empty file; record it again, or let its writer flush or "
            "close it");
    test::writeBytes(path, "hello");
    CHECK_THAT(complaintAbout(path), test::containsText("is not an HDF5 file but a text file"));
}

TEST_CASE("the identity tells size and time of change")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.h5");
    test::writeBytes(path, superblock0(48));
    const FileIdentity identity = checkedIdentity(path);
    CHECK(identity.path == path);
    CHECK(identity.bytes == 48);
    CHECK(identity.sha256.empty());
    REQUIRE(identity.modified.size() == 20);
    CHECK(identity.modified.ends_with("Z"));
    CHECK(identity == checkedIdentity(path));
}

TEST_CASE("a file that is not HDF5 is called what it is")
{
    const auto says = [](const std::string& bytes, const std::string& path,
                         const std::string& what) {
        CHECK_THAT(otherFormat(bytes, path), test::containsText(what));
    };
    says("", "a.h5", "an empty file; record it again");
    says("PK\x03\x04"s + std::string(26, '\0') + "archive/data.pkl", "a.h5",
         "a PyTorch archive; it can run any program when it is read; in Python: import torch");
    says("PK\x03\x04"s + std::string(26, '\0') + "metadata.json", "m.keras", "model.weights.h5");
    says("PK\x03\x04"s + std::string(26, '\0') + "a.txt", "a.zip", "a zip archive; unpack it");
    says("\x80\x04\x95"s, "a.pkl", "a Python pickle");
    says("\x1c\0\0\0TFL3"s, "a.tflite", "a TensorFlow Lite model");
    says("CDF\x01\0"s, "a.nc", "classic netCDF");
    says("\x1f\x8b\x08\0"s, "a.h5.gz", "compressed with gzip as a whole; unpack it first");
    says("version https://git-lfs.github.com/spec/v1\noid sha256:0", "a.h5",
         "a Git LFS pointer, not the file itself; fetch it with git lfs pull");
    says("{\"lst\": []}", "a.json", "a JSON text");
    says("name,scale\n", "a.csv", "a text file");
    says("name,skala\xc3\xa4\n", "a.csv", "a text file");
    says(std::string(4096, '\0'), "a.h5", "begins with zero bytes");
    says("\x7f"s + "ELF\x02\x01\x01\0\0"s, "calib", "a binary file of another kind");
}

TEST_CASE("a name alone makes no format of other bytes")
{
    CHECK_THAT(otherFormat("plain text", "a.keras"), test::containsText("a text file"));
    CHECK_THAT(otherFormat("plain text", "a.onnx"), test::containsText("a text file"));
}

}  // namespace file_check_test
