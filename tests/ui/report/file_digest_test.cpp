#include "ui/report/file_digest.h"

#include "core/base/progress.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("the digest of a file is its SHA-256")
{
    const TemporaryFolder folder;
    writeBytes(folder.file("abc"), "abc");
    // FIPS 180-2, appendix B.1
    CHECK(fileDigest(folder.file("abc"), [] {}) ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(fileDigest("/nowhere/a.h5", [] {}).empty());
}

TEST_CASE("a digest can be stopped")
{
    const TemporaryFolder folder;
    writeBytes(folder.file("abc"), "abc");
    CHECK_THROWS_AS(fileDigest(folder.file("abc"), [] { throw Cancelled{}; }), Cancelled);
}
