#include "ui/report/stable_pdf.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

QDateTime day()
{
    return QDateTime({2026, 1, 2}, {3, 4, 5}, Qt::UTC);
}

}  // namespace

TEST_CASE("the date of a PDF is the one given, and no byte moves")
{
    CHECK(stablePdf("a /CreationDate (D:20251231235959Z) b", day()) ==
          "a /CreationDate (D:20260102030405Z) b");
    CHECK(stablePdf("a /CreationDate (D:20251231235959+01'00') b", day()) ==
          "a /CreationDate (D:20260102030405+00'00') b");
}

TEST_CASE("the id of a PDF follows from its content")
{
    const auto pdf = [](const char* content, char digit) {
        const QByteArray id(32, digit);
        return QByteArray(content) + " /ID [ <" + id + "> <" + id + "> ]";
    };
    CHECK(stablePdf(pdf("x", '1'), day()) == stablePdf(pdf("x", '2'), day()));
    CHECK(stablePdf(pdf("x", '1'), day()) != stablePdf(pdf("y", '1'), day()));
    CHECK(stablePdf(pdf("x", '1'), day()).size() == pdf("x", '1').size());
}

TEST_CASE("links to anchors become links to their pages, and no byte moves")
{
    const QByteArray link = "<< /S /URI\n/URI (" + paddedLink("tensor-7").toLatin1() + ") >>";
    const QByteArray pdf = "/Kids \n[\n4 0 R\n19 0 R\n]\n" + link;
    const QByteArray linked = withInnerLinks(pdf, {{"tensor-7", 1}});
    CHECK(linked.size() == pdf.size());
    CHECK(linked.contains("<< /S /GoTo\n/D [19 0 R /Fit] "));
    CHECK(withInnerLinks(pdf, {{"tensor-7", 2}}) == pdf);  // there is no such page
    CHECK(withInnerLinks(pdf, {{"tensor-77", 0}}) == pdf);
}
