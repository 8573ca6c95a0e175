// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"

#include "core/base/error.h"
#include "core/base/file_identity.h"
#include "core/base/hex.h"
#include "core/base/progress.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <string>

#include <sys/stat.h>

namespace digest_test {

using namespace calibscope;

// FIPS 180-2, appendix B, examples 1 and 3; of nothing: as sha256sum gives for /dev/null.
TEST_CASE("SHA-256 of published examples")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a");
    test::writeBytes(path, "abc");
    CHECK(fileSha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    test::writeBytes(path, std::string(1000000, 'a'));
    CHECK(fileSha256(path) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    test::writeBytes(path, "");
    CHECK(fileSha256(path) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("what is not a file of bytes has no SHA-256, and is not waited for")
{
    const test::TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    for (const std::string& path : {pipe, folder.path().string(), std::string("/dev/zero")}) {
        CHECK_THROWS_AS(headerSha256(path), Error);
        CHECK_THROWS_AS(fileSha256(path), Error);
    }
}

TEST_CASE("a file of whole pieces is read to its end")
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder.file("a"), std::string(std::size_t{2} << 20, '\0'));
    // head -c 2097152 /dev/zero | sha256sum
    CHECK(fileSha256(folder.file("a")) ==
          "5647f05ec18958947d32874eeb788fa396a05d0bab7c1b71f112ceb7e9b31eee");
}

TEST_CASE("a file that can't be read has no SHA-256, and says why")
{
    const test::TemporaryFolder folder;
    CHECK_THROWS_WITH(fileSha256(folder.file("none")),
                      folder.file("none") +
                          ": its SHA-256 cannot be computed: No such file or directory");
    CHECK_THROWS_AS(fileSha256(folder.path().string()), Error);
}

TEST_CASE("the SHA-256 of a header is of the first 64 KiB, or of all there is")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a");
    test::writeBytes(path, "abc");
    CHECK(headerSha256(path) == fileSha256(path));
    const std::string header(headerBytes, 'h');
    test::writeBytes(path, header);
    const std::string ofHeader = fileSha256(path);
    test::writeBytes(path, header + "what follows");
    CHECK(headerSha256(path) == ofHeader);
    test::writeBytes(path, std::string(headerBytes - 1, 'h') + "x");
    CHECK(headerSha256(path) != ofHeader);
}

TEST_CASE("a digest can be stopped between two pieces")
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder.file("a"), std::string(std::size_t{3} << 20, 'a'));
    int steps = 0;
    CHECK_THROWS_AS(fileSha256(folder.file("a"),
                               [&steps] {
                                   if (++steps == 2)
                                       throw Cancelled{};
                               }),
                    Cancelled);
    CHECK(steps == 2);
}

TEST_CASE("SHA-256 of bytes in memory is that of a file of them")
{
    CHECK(hexText(sha256("abc")) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE(
    "sealed bytes are read back, and with any bit or byte of them changed or missing they are not")
{
    const std::string bytes = sealed("abc");
    CHECK(hexText(bytes) ==
          "616263ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(unsealed(bytes) == "abc");
    CHECK(unsealed(sealed("")) == "");
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::string damaged = bytes;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
        CHECK_FALSE(unsealed(damaged));
    }
    for (std::size_t left = 0; left < bytes.size(); ++left)
        CHECK_FALSE(unsealed(bytes.substr(0, left)));
    CHECK_FALSE(unsealed(bytes + bytes));
}

// The authors' published test vectors for "", "a" and "foobar".
TEST_CASE("FNV-1a of published examples")
{
    CHECK(fnv1a<std::uint32_t>("") == 0x811c9dc5U);
    CHECK(fnv1a<std::uint32_t>("a") == 0xe40c292cU);
    CHECK(fnv1a<std::uint32_t>("foobar") == 0xbf9cf968U);
    CHECK(fnv1a<std::uint64_t>("") == 0xcbf29ce484222325U);
    CHECK(fnv1a<std::uint64_t>("a") == 0xaf63dc4c8601ec8cU);
    CHECK(fnv1a<std::uint64_t>("foobar") == 0x85944171f73967e8U);
}

}  // namespace digest_test
