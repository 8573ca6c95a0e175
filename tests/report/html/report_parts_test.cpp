#include "core/report/html/report_parts.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;

TEST_CASE("contents and formats are read from words between commas")
{
    CHECK(parseContents("summary,environment") ==
          std::set<Content>{Content::Summary, Content::Environment});
    CHECK(parseFormats("pdf") == std::set<Format>{Format::Pdf});
}

TEST_CASE("each content and format is read from its own word")
{
    for (const Content content : contents())
        CHECK(parseContents(contentWord(content)) == std::set<Content>{content});
    for (const Format format : formats())
        CHECK(parseFormats(formatWord(format)) == std::set<Format>{format});
}

TEST_CASE("an unknown word, an empty one and a repeated one are refused with the known ones")
{
    CHECK_THROWS_WITH(parseFormats("html,docx"), containsText("html, csv, json, png, svg, pdf"));
    CHECK_THROWS_AS(parseFormats(""), Error);
    CHECK_THROWS_AS(parseContents("summary,"), Error);
    CHECK_THROWS_AS(parseContents("summary,summary"), Error);
}
