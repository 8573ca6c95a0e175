// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/check_values.h"

#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace check_values_test {

using namespace calibscope;

TensorInfo infoWith(const std::string& checksum)
{
    TensorInfo info;
    info.shape = {4};
    info.checksum = checksum;
    return info;
}

const std::vector<float> fourValues{1.0F, 2.0F, 3.0F, 4.0F};

TEST_CASE("values that can be read are verified where a checksum covers all of them")
{
    for (const std::string checksum : {"fletcher32", "sha256", "adler32 (gzip)"})
        CHECK(checkValues(sourceOf(infoWith(checksum), fourValues)).state ==
              ValueCheck::State::Verified);
    for (const std::string checksum : {"none", "", "mixed"})
        CHECK(checkValues(sourceOf(infoWith(checksum), fourValues)).state ==
              ValueCheck::State::NoChecksum);
}

TEST_CASE("values that can't be read are damaged, and what was known to be unreadable is not read")
{
    ValueSource source = sourceOf(infoWith("sha256"), fourValues);
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
    CHECK(checkValues(sourceOf(info, fourValues)).doubts == info.doubts);
}

TEST_CASE("a block of the disk that was lost is a doubt, and zeros of the model are none")
{
    constexpr std::size_t count = std::size_t{127} * 129;
    const auto doubtsOf = [](std::vector<float> values, bool isBlockLost) {
        for (std::size_t index = 0; index < count; ++index)
            values[index] *= 0.5F + 0.001F * static_cast<float>(index % 997);
        test::H5File file;
        file.write("/a", {127, 129}, values);
        std::string bytes = test::readBytes(file.path());
        const std::size_t first =
            bytes.find(std::string(reinterpret_cast<const char*>(values.data()), 16));
        REQUIRE(first != std::string::npos);
        if (isBlockLost)
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>((first / 512 + 5) * 512), 1024,
                        '\0');
        test::writeBytes(file.path(), bytes);
        return checkValues(DumpFile::open(file.path())->source(0)).doubts;
    };
    CHECK(doubtsOf(std::vector<float>(count, 1.0F), false).empty());
    CHECK(doubtsOf(std::vector<float>(count, 1.0F), true) ==
          std::vector<std::string>{"256 of its values are zeros that begin and end where the "
                                   "file's blocks of 512 bytes do: check whether the file is "
                                   "damaged"});
    // Among many stretches of zeros chance may put one where a block is.
    std::vector<float> sparse(count, 1.0F);
    for (std::size_t one = 0; one < 40; ++one)
        std::fill_n(sparse.begin() + static_cast<std::ptrdiff_t>(4096 + 300 * one), 150, 0.0F);
    CHECK(doubtsOf(sparse, true).empty());
}

}  // namespace check_values_test
