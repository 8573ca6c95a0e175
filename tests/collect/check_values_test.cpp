#include "core/collect/check_values.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <vector>

using namespace calibscope;

namespace {

TensorInfo infoWith(const std::string& checksum)
{
    TensorInfo info;
    info.shape = {4};
    info.checksum = checksum;
    return info;
}

const std::vector<float> values{1.0F, 2.0F, 3.0F, 4.0F};

}  // namespace

TEST_CASE("values that can be read are verified where a checksum covers all of them")
{
    for (const std::string checksum : {"fletcher32", "sha256", "adler32 (gzip)"})
        CHECK(checkValues(sourceOf(infoWith(checksum), values)).state ==
              ValueCheck::State::Verified);
    for (const std::string checksum : {"none", "", "mixed"})
        CHECK(checkValues(sourceOf(infoWith(checksum), values)).state ==
              ValueCheck::State::NoChecksum);
}

TEST_CASE("values that can't be read are damaged, and what was known to be unreadable is not read")
{
    ValueSource source = sourceOf(infoWith("sha256"), values);
    source.visit = [](const BlockVisitor&, const Progress&) {
        throw Error(Fault::Input, "a.h5:/a: damaged");
    };
    const ValueCheck damaged = checkValues(source);
    CHECK(damaged.state == ValueCheck::State::Damaged);
    CHECK(damaged.problem == "a.h5:/a: damaged");
    source.info.unreadable = "it holds texts";
    const ValueCheck unread = checkValues(source);
    CHECK(unread.state == ValueCheck::State::NotRead);
    CHECK(unread.problem == "it holds texts");
    CHECK(checkStateText(unread.state) == "not read");
}

TEST_CASE("doubts of a tensor are told with its check")
{
    TensorInfo info = infoWith("none");
    info.doubts = {"3 of its 5 chunks were never written"};
    CHECK(checkValues(sourceOf(info, values)).doubts == info.doubts);
}
