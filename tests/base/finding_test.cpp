// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/finding.h"

#include "tests/support/catch.h"

namespace finding_test {

using namespace calibscope;

TEST_CASE("a level has a word, and the word is the level again")
{
    for (const FindingLevel level :
         {FindingLevel::Note, FindingLevel::Warning, FindingLevel::Error})
        CHECK(parseLevel(levelText(level)) == level);
    CHECK(levelText(FindingLevel::Warning) == "warning");
    CHECK_FALSE(parseLevel("fatal"));
    CHECK_FALSE(parseLevel(""));
}

TEST_CASE("a finding on a subject names it at the beginning of its text")
{
    const Finding finding = findingOn("conv1", FindingLevel::Error, "nan", "has NaN");
    CHECK(finding == Finding{.id = "nan",
                             .level = FindingLevel::Error,
                             .subject = "conv1",
                             .text = "`conv1`: has NaN"});
    CHECK(withLevel(finding) == "error: `conv1`: has NaN");
}

TEST_CASE("the highest level of several findings is that of the gravest one")
{
    CHECK_FALSE(highestLevel({}));
    const Findings findings{{.id = "a", .level = FindingLevel::Warning},
                            {.id = "b", .level = FindingLevel::Note}};
    CHECK(highestLevel(findings) == FindingLevel::Warning);
}

}  // namespace finding_test
