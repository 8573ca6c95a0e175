// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/paper.h"

#include "tests/support/catch.h"
#include "ui/theme/theme.h"

namespace paper_test {

using namespace calibscope;
using test::Approx;

/// How many page objects there are.
int pages(const QByteArray& pdf)
{
    return static_cast<int>(pdf.count("/Type /Page\n"));
}

PaperTable tableOf(int rows)
{
    PaperTable table{.columns = {{"Name"}, {"Value", true}}};
    for (int row = 0; row < rows; ++row)
        table.rows.push_back({{QString("row %1").arg(row)}, {QString::number(row)}});
    return table;
}

TEST_CASE("what fits one page is one page, a long table goes on over more")
{
    Paper few("few", "foot");
    few.heading("Title", 1);
    few.table(tableOf(10));
    CHECK(pages(few.finish()) == 1);
    Paper many("many", "foot");
    many.table(tableOf(200));
    CHECK(pages(many.finish()) == 4);
}

TEST_CASE("a new page after nothing is not an empty page")
{
    Paper paper("title", "foot");
    paper.newPage();
    paper.paragraph("text");
    paper.newPage();
    paper.newPage();
    paper.paragraph("text");
    CHECK(pages(paper.finish()) == 2);
}

TEST_CASE("a draft tells the pages that anchors have when it is printed")
{
    const auto filled = [](Paper::Purpose purpose) {
        Paper paper("title", "foot", purpose);
        paper.heading("first", 1, "first");
        paper.table(tableOf(100));
        paper.heading("second", 2, "second");
        paper.newPage();
        paper.heading("third", 2, "third");
        return paper.pagesByAnchor();
    };
    const std::map<QString, int> pages = filled(Paper::Purpose::Draft);
    CHECK(pages == filled(Paper::Purpose::Print));
    CHECK(pages.at("first") == 1);
    CHECK(pages.at("second") >= 2);
    CHECK(pages.at("third") == pages.at("second") + 1);
}

TEST_CASE("columns fill the paper, and texts give way where they are too long")
{
    loadFonts();
    const QFont font = pictureFont(10);
    PaperTable table{.columns = {{"Name"}, {"Value", true}}, .rows = {{{"a"}, {"1.5"}}}};
    const std::vector<double> roomy = columnWidths(table, 400.0, font, 8.0);
    CHECK(roomy[0] + roomy[1] == Approx(400.0));
    table.rows.push_back({{QString(300, 'x')}, {"2.5"}});
    const std::vector<double> narrow = columnWidths(table, 400.0, font, 8.0);
    CHECK(narrow[0] + narrow[1] == Approx(400.0));
    CHECK(narrow[1] == roomy[1]);
}

TEST_CASE("texts of a table keep their distance from numbers before them")
{
    loadFonts();
    const QFont font = pictureFont(10);
    const std::vector<std::vector<PaperCell>> rows = {{{"a"}, {"1.5"}, {"b"}}};
    const PaperTable beforeText{.columns = {{"Name"}, {"Value", true}, {"Role"}}, .rows = rows};
    const PaperTable last{.columns = {{"Name"}, {"Role"}, {"Value", true}}, .rows = rows};
    constexpr double gap = 8.0;
    CHECK(columnWidths(beforeText, 400.0, font, gap)[1] ==
          Approx(columnWidths(last, 400.0, font, gap)[2] + gap));
}

TEST_CASE("a word that is longer than its line is broken, not cut")
{
    loadFonts();
    QTextLayout layout(QString(200, 'x'), pictureFont(10));
    const double height = layOut(layout, 100.0);
    CHECK(layout.lineCount() > 5);
    CHECK(height == Approx(layout.lineCount() * layout.lineAt(0).height()));
    for (int line = 0; line < layout.lineCount(); ++line)
        CHECK(layout.lineAt(line).naturalTextWidth() <= 100.0);
}

}  // namespace paper_test
