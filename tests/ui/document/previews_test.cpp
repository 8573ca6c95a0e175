// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/previews.h"

#include "tests/support/tested_document.h"

namespace previews_test {

using namespace calibscope;
using namespace calibscope::test;

struct Opened
{
    Opened(const QString& path, std::uint64_t bytes)
    {
        document.open(path);
        protocol::DumpOpened dump = someDump();
        dump.identity.bytes = bytes;
        FakeEngine::answer(waited.opens, std::move(dump));
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
};

constexpr std::uint64_t limit = Previews::mostBytesFarAway;

TEST_CASE("of a dump here, or a small one elsewhere, all previews are taken")
{
    const Opened here("/d/a.h5", limit + 1);
    CHECK(here.document.previews().left() == 3);  // one can't be read
    CHECK(here.background.previews.size() == 1);
    const Opened far("ssh://h/a.h5", limit);
    CHECK(far.document.previews().left() == 3);
    CHECK(far.background.previews.size() == 3);  // together
}

TEST_CASE("of a large dump elsewhere only what is on screen is read")
{
    Opened test("ssh://h/a.h5", limit + 1);
    Previews& previews = test.document.previews();
    CHECK(previews.isFrugal());
    CHECK(test.background.previews.empty());
    previews.prefer({odd, a});
    REQUIRE(test.background.previews.size() == 1);
    CHECK(test.background.previews.front().request.tensor.index == a);
    CHECK(test.background.previews.front().request.tensor.file == "ssh://h/a.h5");
    previews.prefer({a, b});  // a is on its way
    REQUIRE(test.background.previews.size() == 2);
    FakeEngine::answer(test.background.previews, protocol::Preview{});
    FakeEngine::answer(test.background.previews, protocol::Preview{});
    previews.prefer({a, b});
    CHECK(test.background.previews.empty());
    CHECK(previews.all().size() == 2);
}

}  // namespace previews_test
