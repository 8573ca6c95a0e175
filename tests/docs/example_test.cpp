// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/docs/example.h"

#include "tests/support/catch.h"

#include <stdexcept>

namespace example_test {

using namespace calibscope::docs;

using Lines = std::vector<std::string>;

TEST_CASE("only blocks of kind console hold examples, and their lines are counted from 1")
{
    const auto examples = parseExamples("Text\n"
                                        "```sh\n"
                                        "$ not this\n"
                                        "```\n"
                                        "```console\n"
                                        "$ calib info a.h5\n"
                                        "one\n"
                                        "two\n"
                                        "$ calib stats a.h5\n"
                                        "```\n"
                                        "$ nor this\n");
    REQUIRE(examples.size() == 2);
    CHECK(examples[0].command == "calib info a.h5");
    CHECK(examples[0].output == Lines{"one", "two"});
    CHECK(examples[0].line == 6);
    CHECK(examples[1].command == "calib stats a.h5");
    CHECK(examples[1].output.empty());
}

TEST_CASE("output in front of the first command of a block is a mistake of the document")
{
    CHECK_THROWS_AS(parseExamples("```console\noutput\n```\n"), std::runtime_error);
    CHECK_THROWS_AS(parseExamples("```console\n$ a\n```\n```console\nout\n```\n"),
                    std::runtime_error);
}

TEST_CASE("shown output must be the whole output, blanks at line ends aside")
{
    CHECK(isAsShown({}, {}));
    CHECK(isAsShown({"a", "b"}, {"a  ", "b"}));
    CHECK_FALSE(isAsShown({"a"}, {"a", "b"}));
    CHECK_FALSE(isAsShown({"a", "b"}, {"a"}));
    CHECK_FALSE(isAsShown({" a"}, {"a"}));
    CHECK_FALSE(isAsShown({}, {"a"}));
}

TEST_CASE("three dots stand for any number of lines, also for none")
{
    CHECK(isAsShown({"a", "..."}, {"a"}));
    CHECK(isAsShown({"a", "...", "d"}, {"a", "b", "c", "d"}));
    CHECK(isAsShown({"...", "c", "..."}, {"a", "c", "c", "b"}));
    CHECK_FALSE(isAsShown({"a", "...", "d"}, {"a", "b", "c"}));
    CHECK_FALSE(isAsShown({"...", "c"}, {"a", "c", "b"}));
}

}  // namespace example_test
