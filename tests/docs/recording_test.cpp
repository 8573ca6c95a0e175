// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/docs/workplace.h"
#include "tests/support/catch.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace recording_test {

using namespace calibscope::docs;

/// What the page's snippets take for granted.
constexpr std::string_view atHand = R"(import sys
sys.path.insert(0, "resources/recorders")
import numpy
batches = [numpy.full((size, 3, 4, 5), size, "f4") for size in (8, 8, 2)]
outputs = numpy.concatenate(batches)
weights = numpy.ones((3, 2, 3, 3), "f4")
)";

std::vector<std::string> pythonBlocks(const std::string& page)
{
    constexpr std::string_view begin = "```python\n";
    std::vector<std::string> blocks;
    for (auto at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
        const auto first = at + begin.size();
        blocks.push_back(page.substr(first, page.find("```\n", first) - first));
    }
    return blocks;
}

std::vector<std::string> recordingBlocks()
{
    return pythonBlocks(textOf(CALIBSCOPE_SOURCE_DIR "/resources/docs/recording.md"));
}

/// Whether a snippet needs no more than h5py and NumPy.
bool needsOnlyH5py(const std::string& block)
{
    return block.starts_with("import h5py\n") ||
           block.starts_with("from calibration_dump import DumpWriter\n\nwith");
}

/// Debian's Python, which finds Debian's python3-h5py whatever else is first in PATH.
const std::string python = "PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3";

TEST_CASE("every snippet of the page on recording is Python")
{
    const Workplace workplace;
    if (!workplace.run(python + " -c ''").empty()) {
        WARN("not checked: there is no /usr/bin/python3");
        return;
    }
    const std::vector<std::string> blocks = recordingBlocks();
    CHECK(blocks.size() == 10);
    for (const std::string& block : blocks) {
        workplace.write("snippet.py", block);
        INFO(block);
        CHECK(workplace.run(python + " -c 'compile(open(\"snippet.py\").read(), \"s\", \"exec\")'")
                  .empty());
    }
}

TEST_CASE("the lines that add digests let a dump be verified, and damage be found")
{
    const Workplace workplace;
    if (!workplace.run(python + " -c 'import h5py, numpy'").empty()) {
        WARN("not checked: python3-h5py is not installed");
        return;
    }
    const std::vector<std::string> digests =
        pythonBlocks(textOf(CALIBSCOPE_SOURCE_DIR "/resources/docs/dump-format.md"));
    REQUIRE(digests.size() == 1);
    workplace.write("snippet.py",
                    std::string(atHand) + recordingBlocks().front() + digests.front());
    CHECK(workplace.run(python + " snippet.py").empty());
    const std::string check = "calib check-dump dump.h5 --columns tensor,checksum,state";
    CHECK(workplace.run(check) == std::vector<std::string>{"tensor,checksum,state",
                                                           "conv1,sha256,verified",
                                                           "conv1.weight,sha256,verified"});
    workplace.write("damage.py", R"(import h5py
with h5py.File("dump.h5", "r+") as dump:
    dump["weights/conv1.weight"][2, 1, 0, 0] = 0.5
)");
    CHECK(workplace.run(python + " damage.py").empty());
    CHECK(workplace.run(check + " 2>/dev/null") ==
          std::vector<std::string>{"tensor,checksum,state", "conv1,sha256,verified",
                                   "conv1.weight,sha256,damaged", "[exit code 3]"});
}

TEST_CASE("what the snippets for h5py write opens without a guess")
{
    const Workplace workplace;
    if (!workplace.run(python + " -c 'import h5py, numpy'").empty()) {
        WARN("not checked: python3-h5py is not installed");
        return;
    }
    int count = 0;
    for (const std::string& block : recordingBlocks()) {
        if (!needsOnlyH5py(block))
            continue;
        ++count;
        INFO(block);
        workplace.write("snippet.py", std::string(atHand) + block);
        CHECK(workplace.run(python + " snippet.py").empty());
        CHECK(
            workplace.run("calib info dump.h5 --columns tensor,role,shape,layout_rule,readable") ==
            std::vector<std::string>{
                "tensor,role,shape,layout_rule,readable",
                "conv1,activation,18 x 3 x 4 x 5,calibration-dump,yes",
                "conv1.weight,weight,3 x 2 x 3 x 3,calibration-dump,yes",
            });
        const bool hasAttributes = block.find("op_type") != std::string::npos;
        CHECK(workplace.run("calib info dump.h5 --columns op,channel_axis,batches") ==
              (hasAttributes
                   ? std::vector<std::string>{"op,channel_axis,batches", "Conv,1,3", "Conv,0,1"}
                   : std::vector<std::string>{"op,channel_axis,batches", ",,1", ",,1"}));
    }
    CHECK(count == 4);
}

}  // namespace recording_test
