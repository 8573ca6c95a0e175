#include "ui/charts/heat_key.h"

#include "tests/support/catch.h"
#include "ui/plot/number_label.h"
#include "ui/theme/heat_colors.h"

using namespace calibscope;
using calibscope::test::Approx;

TEST_CASE("a heat map's key goes by the logarithm of the count")
{
    const std::vector<std::uint64_t> counts = {0, 3, 10000, 100};
    const HeatKey key(counts);
    CHECK(key.most() == 10000);
    CHECK(key.share(1) == 0.0);
    CHECK(key.share(100) == Approx(0.5));
    CHECK(key.share(10000) == 1.0);
    const auto entries = key.legend(false);
    REQUIRE(entries.size() == 4);
    CHECK(entries[1].text == "10");
    CHECK(entries[3].text.startsWith(countLabel(10000)));
    CHECK(entries[3].color == heatColor(1.0, false));
}

TEST_CASE("a heat map's key without counts, with zeros or ones alone")
{
    CHECK(HeatKey().most() == 0);
    CHECK(HeatKey(std::vector<std::uint64_t>{0, 0}).most() == 0);
    const HeatKey ones(std::vector<std::uint64_t>{0, 1});
    CHECK(ones.share(1) == 1.0);
    CHECK(ones.legend(true).size() == 1);
}
