// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/recorded_digest.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/hex.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <cstring>
#include <string>
#include <vector>

namespace recorded_digest_test {

using namespace calibscope;

const std::vector<float> values{1.0F, -2.5F, 4.0F, 0.0F};

std::string bytesOf(const std::vector<float>& floats)
{
    std::string bytes(floats.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), floats.data(), bytes.size());
    return bytes;
}

void addDigest(test::H5File& file, const std::string& dataset)
{
    file.attribute(dataset, "values_sha256", hexText(sha256(bytesOf(values))));
    file.attribute(dataset, "values_count", std::int64_t{4});
    file.attribute(dataset, "values_min", -2.5);
    file.attribute(dataset, "values_max", 4.0);
}

std::string failureOf(const std::string& path)
{
    try {
        static_cast<void>(test::valuesIn(path, "/a"));
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return "no failure";
}

TEST_CASE("values that fit what was recorded of them are read, in either byte order")
{
    for (const test::Stored stored : {test::Stored::Float32, test::Stored::Float32Big}) {
        test::H5File file;
        file.write("/a", {2, 2}, {1.0, -2.5, 4.0, 0.0}, stored);
        addDigest(file, "/a");
        CHECK(test::valuesIn(file.path(), "/a") == values);
        CHECK(test::listed(file.path(), "/a").checksum == "sha256");
        CHECK(test::listed(file.path(), "/a").doubts.empty());
    }
}

TEST_CASE("values that contradict what was recorded of them are refused")
{
    test::H5File file;
    file.write("/a", {2, 2}, values);
    addDigest(file, "/a");
    std::string bytes = test::readBytes(file.path());
    const std::size_t at = bytes.find(bytesOf(values));
    REQUIRE(at != std::string::npos);
    bytes[at + 13] = 1;  // 0 becomes a subnormal: neither end changes
    test::writeBytes(file.path(), bytes);
    CHECK(failureOf(file.path()) ==
          file.path() + ":/a: cannot be read: its values do not fit the SHA-256 that was recorded "
                        "with them; the file is damaged, copy or record it again");
}

TEST_CASE("ends and count alone are compared, too")
{
    const auto failureWith = [](const std::string& name, double value) {
        test::H5File file;
        file.write("/a", {2, 2}, values);
        file.attribute("/a", name, value);
        return failureOf(file.path());
    };
    CHECK(failureWith("values_min", -2.5) == "no failure");
    CHECK(failureWith("values_max", 4.0) == "no failure");
    CHECK_THAT(failureWith("values_min", -3.0),
               test::containsText("their least value is -2.5, -3 was recorded with them"));
    CHECK_THAT(failureWith("values_max", 5.0),
               test::containsText("their greatest value is 4, 5 was recorded with them"));
    test::H5File file;
    file.write("/a", {2, 2}, values);
    file.attribute("/a", "values_count", std::int64_t{5});
    CHECK(test::listed(file.path(), "/a").unreadable ==
          "its attribute values_count says 5 values, its shape has 4; the file is damaged, copy or "
          "record it again");
}

TEST_CASE("a digest that is not understood is a doubt, not silence")
{
    test::H5File file;
    file.write("/a", {2, 2}, values);
    file.attribute("/a", "values_sha256", "12ab");
    file.attribute("/a", "values_min", "low");
    const TensorInfo info = test::listed(file.path(), "/a");
    CHECK(info.doubts ==
          std::vector<std::string>{
              "attribute values_sha256 is ignored: it is not 64 hexadecimal digits in lower case",
              "attribute values_min is ignored: it is not a finite number"});
    CHECK(test::valuesIn(file.path(), "/a") == values);
}

TEST_CASE("attributes of a layout that are not understood are doubts of their tensor")
{
    test::H5File file;
    file.write("/activations/a", {2, 2}, values);
    file.attribute("/activations/a", "batch_size", "four");
    file.attribute("/activations/a", "layout", "NCHW");
    const TensorInfo info = test::listed(file.path(), "/activations/a");
    REQUIRE(info.doubts.size() == 2);
    CHECK_THAT(info.doubts[0], test::containsText("attribute layout is ignored: "));
    CHECK_THAT(info.doubts[1], test::containsText("attribute batch_size is ignored: "));
}

}  // namespace recorded_digest_test
