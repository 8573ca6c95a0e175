// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/html.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>

namespace html_test {

using namespace calibscope;
using namespace calibscope::report;
using calibscope::test::containsText;

TEST_CASE("text can't become markup, and broken bytes can't break the page")
{
    CHECK(html::escaped("<b onclick=\"x('&')\">") ==
          "&lt;b onclick=&quot;x(&#39;&amp;&#39;)&quot;&gt;");
    CHECK(html::escaped("caf\xff") == "caf\xef\xbf\xbd");
    CHECK(html::link("a\"b.html", "<x>") == "<a href=\"a&quot;b.html\">&lt;x&gt;</a>");
    CHECK(html::breakable("a.b_c") == "a.<wbr>b_<wbr>c");
}

TEST_CASE("numbers are as people write them")
{
    CHECK(html::number(0.0) == "0");
    CHECK(html::number(3.73465, 6) == "3.73465");
    CHECK(html::number(-0.278465) == "−0.2785");
    CHECK(html::number(123456.0) == "123456");
    CHECK(html::number(1234567.0) == "1.235×10<sup>6</sup>");
    CHECK(html::number(0.0001) == "0.0001");
    CHECK(html::number(-3.2e-40) == "−3.2×10<sup>−40</sup>");
    CHECK(html::number(1e300) == "1×10<sup>300</sup>");
    CHECK(html::number(std::numeric_limits<double>::infinity()) == "∞");
    CHECK(html::number(-std::numeric_limits<double>::infinity()) == "−∞");
    CHECK(html::number(std::nan("")) == "NaN");
    CHECK(html::count(0) == "0");
    CHECK(html::count(999) == "999");
    CHECK(html::count(76800) == "76\u202f800");
    CHECK(html::count(1234567) == "1\u202f234\u202f567");
    CHECK(html::percent(0.0115) == "1.15\u202f%");
}

TEST_CASE("an SQNR is graded, bounded and says when it is estimated")
{
    CHECK_THAT(html::sqnrBar(19.96, true), containsText("sqnr bad\">20.0<"));
    CHECK_THAT(html::sqnrBar(20.0, true), containsText("sqnr fair"));
    CHECK_THAT(html::sqnrBar(35.0, false), containsText("sqnr good\">≈35.0<"));
    CHECK_THAT(html::sqnrBar(90.0, true), containsText("width:100%"));
    CHECK_THAT(html::sqnrBar(-3.0, true), containsText("−3.0<i><b style=\"width:0%"));
    CHECK_THAT(html::sqnrBar(std::numeric_limits<double>::infinity(), true), containsText(">∞<"));
    CHECK(html::sqnrBar(std::nullopt, true) == "–");
    const SqnrLimits strict{.poor = 36.0, .good = 40.0};
    CHECK_THAT(html::sqnrBar(35.0, true, strict), containsText("sqnr bad"));
    CHECK_THAT(html::sqnrBar(36.0, true, strict), containsText("sqnr fair"));
    CHECK_THAT(html::sqnrBar(40.0, true, strict), containsText("sqnr good"));
}

TEST_CASE("a result without a value is a dash, with one it is written in its style")
{
    for (const ResultColumn& column : resultColumns()) {
        CHECK(html::result(column, std::nullopt) == "–");
        CHECK_FALSE(html::result(column, 0.5).empty());
    }
    CHECK(html::result(resultColumn("sqnr_db"), 29.756) == "29.76");
    CHECK(html::result(resultColumn("clipped_share"), 0.0115) == "1.15\u202f%");
    CHECK(html::result(resultColumn("scale"), 0.123456) == "0.12346");
}

TEST_CASE("empty tables, lists and facts are nothing at all")
{
    Page::Table table{{{"A"}, {"On paper", false, Medium::Paper}}, {}};
    CHECK(html::block(table).empty());
    CHECK(html::block(Page::List{}).empty());
    CHECK(html::block(Page::Facts{}).empty());
    table.rows = {{{piece::text("1 < 2")}, {piece::text("7")}}};
    CHECK_THAT(html::block(table), containsText("<thead><tr><th>A</th></tr></thead>"));
    CHECK_THAT(html::block(table), containsText("<tr><td>1 &lt; 2</td></tr>"));
}

TEST_CASE("a section without content, and one for paper, has no heading either")
{
    const auto has = [](const Page::Section& section) {
        const std::string page = html::page({.title = "Page", .sections = {section}});
        return page.find("<h2>Title</h2>") != std::string::npos;
    };
    CHECK_FALSE(has({.title = "Title", .blocks = {Page::List{}, Page::Table{}}}));
    CHECK_FALSE(has({.title = "Title",
                     .blocks = {Page::Paragraph{{piece::text("x")}}},
                     .medium = Medium::Paper}));
    CHECK(has({.title = "Title", .blocks = {Page::Paragraph{{piece::text("x")}}}}));
}

TEST_CASE("pieces of a line are marked up and escaped")
{
    using Kind = Page::Piece::Kind;
    const auto line = [](Page::Line pieces) {
        return html::block(Page::Paragraph{std::move(pieces)});
    };
    CHECK(line({piece::text("<a>"), piece::text("b", Kind::Strong)}) ==
          "<p>&lt;a&gt;<strong>b</strong></p>\n");
    CHECK(line({piece::link("", "a.b")}) == "<p>a.<wbr>b</p>\n");
    CHECK(line({piece::link("x", "a")}) == "<p><a href=\"x\">a</a></p>\n");
    CHECK(line({piece::count(1234), {.kind = Kind::SheetOf}}) == "<p>1\u202f234</p>\n");
    CHECK(line({piece::result(resultColumn("sqnr_db"), 29.756, false, true)}) ==
          "<p><strong title=\"highest SQNR\">★ ≈29.76</strong></p>\n");
    Page::Piece names{.kind = Kind::Names, .names = {{piece::text("a")}, {piece::text("b")}}};
    CHECK(line({names}) == "<p><br><small>a, b</small></p>\n");
    names.names.resize(9, {piece::text("c")});
    CHECK_THAT(line({names}), containsText("<details><summary>9 tensors</summary>a, b, c"));
}

TEST_CASE("a sparkline draws a column for each count that is not zero")
{
    const std::string drawing = html::sparkline({4.0, 0.0, 1.0}, "values from 0 to 3");
    CHECK_THAT(drawing, containsText("M0 20v-20.0h2.4v20.0zM6 20v-10.0h2.4v10.0z"));
    CHECK_THAT(drawing, containsText("aria-label=\"values from 0 to 3\""));
    CHECK_THAT(html::sparkline({0.0, 0.0}, "none"), containsText("d=\"\""));
    CHECK_THAT(html::sparkline({}, "none"), containsText("d=\"\""));
}

TEST_CASE("a page needs nothing but itself")
{
    const std::string page = html::page({.title = "A <title>"});
    CHECK_THAT(page, containsText("<title>A &lt;title&gt;</title>"));
    CHECK_THAT(page, containsText("<style>"));
    CHECK(page.find("://") == std::string::npos);
    CHECK(page.find("@import") == std::string::npos);
    CHECK(page.find("url(") == std::string::npos);
}

TEST_CASE("a page runs our script alone and asks nobody, whatever names it holds")
{
    const std::string evil = "</title><script>x</script><img src=\"http://x\">'&";
    Page page{.title = evil,
              .sections = {{.title = evil, .blocks = {Page::List{{{piece::text(evil)}}}}}}};
    page.subtitle = evil;
    const std::string written = html::page(page);
    CHECK_THAT(written, containsText("http-equiv=\"Content-Security-Policy\" "
                                     "content=\"default-src 'none'; img-src data:;"));
    // One script, at the end, which is the one whose hash is allowed.
    const std::size_t script = written.find("<script");
    CHECK(script == written.rfind("<script"));
    CHECK(script > written.find("</footer>"));
    CHECK(script < written.find("</script>"));
    CHECK_THAT(written, containsText("script-src 'sha256-") && !containsText("unsafe-eval"));
    CHECK(written.find("<script>x") == std::string::npos);
    CHECK(written.find("<img") == std::string::npos);
    // Before anything that a name is in.
    CHECK(written.find("Content-Security-Policy") < written.find("<title>"));
}

}  // namespace html_test
