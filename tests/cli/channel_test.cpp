// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <string>
#include <vector>

namespace channel_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;

/// 4 samples in batches of 2, two channels: 1, 3, 12.7, 1 and -2, 0, 1, 1.
test::H5File twoChannels()
{
    test::H5File file;
    file.write("/activations/a", {4, 2}, std::vector<float>{1, -2, 3, 0, 12.7F, 1, 1, 1});
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    file.attribute("/activations/a", "channel_axis", std::int64_t{1});
    file.write("/weights/w", {2, 2}, std::vector<float>{1.27F, -1, 0.5F, 25.4F});
    file.attribute("/weights/w", "channel_axis", std::int64_t{0});
    return file;
}

std::string outputOf(const std::vector<std::string>& arguments)
{
    const ProgramRun run = runProgram("calib", arguments);
    CHECK(run.errors.empty());
    CHECK(run.exitCode == 0);
    return run.output;
}

TEST_CASE("statistics of one channel are the row that it has among all")
{
    const test::H5File file = twoChannels();
    const std::vector<std::string> all = {"stats",     file.path(), "--tensor",
                                          "a",         "--columns", "tensor,channel,values,min,max",
                                          "--channel", "1"};
    CHECK(outputOf(all) == "tensor,channel,values,min,max\na,1,4,-2,1\n");
    std::vector<std::string> first = all;
    first.insert(first.end(), {"--batches", "1"});
    CHECK(outputOf(first) == "tensor,channel,values,min,max\na,1,2,-2,0\n");
}

TEST_CASE("a histogram of one channel, and of its first batches")
{
    const test::H5File file = twoChannels();
    const std::vector<std::string> all = {"histogram", file.path(), "--tensor",  "a",
                                          "--bins",    "2",         "--channel", "1"};
    CHECK(outputOf(all) == "low,high,count\n0,1,1\n1,2,3\n");
    std::vector<std::string> first = all;
    first.insert(first.end(), {"--batches", "1"});
    CHECK(outputOf(first) == "low,high,count\n0,1,1\n1,2,1\n");
}

TEST_CASE("scales of one channel are those that it has among all, and say which it is")
{
    const test::H5File file = twoChannels();
    const auto scales = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {
            "scales",       file.path(), "--tensor",  "w",
            "--calibrator", "min-max",   "--columns", "channel,threshold,sqnr_db"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return outputOf(arguments);
    };
    const std::string among = scales({"--rows", "channel"});
    const std::string one = scales({"--channel", "1"});
    CHECK_THAT(one, containsText("\n1,25.399999618530273,"));
    CHECK_THAT(among, containsText(one.substr(one.find('\n'))));
}

TEST_CASE("a channel that a tensor does not have is told, and others are written")
{
    test::H5File file = twoChannels();
    file.write("/activations/b", {4, 3}, std::vector<float>(12, 1.0F));
    file.attribute("/activations/b", "channel_axis", std::int64_t{1});
    const ProgramRun run = runProgram("calib", {"stats", file.path(), "--tensor", "a", "--tensor",
                                                "b", "--columns", "tensor,max", "--channel", "2"});
    CHECK(run.exitCode == 3);
    CHECK(run.output == "tensor,max\nb,1\n");
    CHECK_THAT(run.errors, containsText("/activations/a: there is no channel 2, it has 2"));
    CHECK(runProgram("calib", {"stats", file.path(), "--channel", "-1"}).exitCode == 2);
}

}  // namespace channel_test
