// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/ratio_reader.h"

#include "tests/support/view_samples.h"

#include <QSignalSpy>
#include <QTest>

namespace queries_ratio_reader_test {

using namespace calibscope;
using namespace calibscope::test;

ViewQuery::Shared someView()
{
    auto view = std::make_shared<protocol::TensorView>();
    view->profile = profileOf(bellValues(), {choiceOf("mse")});
    return view;
}

const Scheme symmetric = choiceOf("mse").scheme;

Scheme withBits(int bits)
{
    Scheme scheme = symmetric;
    scheme.bits = bits;
    return scheme;
}

bool becomesIdle(const RatioReader& reader)
{
    return QTest::qWaitFor([&] { return reader.isIdle(); }, 20000);
}

TEST_CASE("the line is the one that is computed directly, to the last bit")
{
    RatioReader reader;
    const QSignalSpy found(&reader, &RatioReader::found);
    const ViewQuery::Shared view = someView();
    reader.want(view, symmetric);
    CHECK_FALSE(reader.isIdle());
    CHECK(reader.find(view.get(), symmetric) == nullptr);  // never from within the call
    REQUIRE(becomesIdle(reader));
    CHECK(found.size() == 1);
    const ThresholdRatio* line = reader.find(view.get(), symmetric);
    REQUIRE(line);
    const ThresholdRatio direct =
        thresholdRatio(view->profile, symmetric, thresholdsFor(view->profile.sketch));
    REQUIRE(direct.threshold.size() >= 96);
    CHECK(line->threshold == direct.threshold);
    CHECK(line->sqnrDb == direct.sqnrDb);
}

TEST_CASE("lines of one view are kept and not computed again, those of a former one go")
{
    RatioReader reader;
    const QSignalSpy found(&reader, &RatioReader::found);
    const ViewQuery::Shared view = someView();
    for (const int bits : {8, 4, 8}) {
        reader.want(view, withBits(bits));
        REQUIRE(becomesIdle(reader));
    }
    CHECK(found.size() == 2);
    CHECK(reader.find(view.get(), withBits(8)));
    CHECK(reader.find(view.get(), withBits(4)));
    const ViewQuery::Shared other = someView();
    reader.want(other, withBits(8));
    CHECK(reader.find(view.get(), withBits(8)) == nullptr);
    REQUIRE(becomesIdle(reader));
    CHECK(reader.find(other.get(), withBits(8)));
    reader.clear();
    CHECK(reader.find(other.get(), withBits(8)) == nullptr);
}

TEST_CASE("of requests that were not begun the latest one wins")
{
    RatioReader reader;
    const ViewQuery::Shared view = someView();
    for (const int bits : {8, 7, 6, 5, 4})
        reader.want(view, withBits(bits));
    REQUIRE(becomesIdle(reader));
    CHECK(reader.find(view.get(), withBits(8)));  // was at work already
    CHECK(reader.find(view.get(), withBits(4)));
    CHECK(reader.find(view.get(), withBits(6)) == nullptr);
}

TEST_CASE("another view that is wanted while one is at work is the one that is found")
{
    RatioReader reader;
    const ViewQuery::Shared former = someView();
    const ViewQuery::Shared view = someView();
    reader.want(former, symmetric);
    reader.want(view, symmetric);
    REQUIRE(becomesIdle(reader));
    CHECK(reader.find(former.get(), symmetric) == nullptr);
    CHECK(reader.find(view.get(), symmetric));
}

}  // namespace queries_ratio_reader_test
