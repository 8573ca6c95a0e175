#include "ui/document/identity_changes.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

const FileIdentity was{.path = "/a.h5",
                       .bytes = 12345,
                       .modified = "2024-01-02T03:04:05Z",
                       .sha256 = {},
                       .headerSha256 = "ab"};

}  // namespace

TEST_CASE("a file that is as it was has no changes, wherever it is now")
{
    FileIdentity is = was;
    is.path = "/elsewhere/b.h5";
    CHECK(identityChanges(was, is).isEmpty());
}

TEST_CASE("what changed of a file is told: size, time, header")
{
    FileIdentity is = was;
    is.modified = "2025-01-02T03:04:05Z";
    CHECK(identityChanges(was, is) ==
          "time from 2024-01-02T03:04:05Z to 2025-01-02T03:04:05Z, not the header");
    is.headerSha256 = "cd";
    is.bytes = 7;
    CHECK(
        identityChanges(was, is) ==
        "size from 12\u202f345 to 7 bytes, time from 2024-01-02T03:04:05Z to 2025-01-02T03:04:05Z, "
        "header");
}

TEST_CASE("of a file that was not read before nothing is known to have changed")
{
    CHECK(identityChanges({}, was).isEmpty());
    CHECK(identityChanges(was, {}).isEmpty());
}
