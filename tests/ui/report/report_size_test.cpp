#include "ui/report/report_size.h"

#include "tests/support/catch.h"

using namespace calibscope;

TEST_CASE("a report's size grows with tensors, formats and the resolution of pictures")
{
    ReportOptions options;
    const ReportCounts counts{.tensors = 30, .channelTensors = 25, .recipes = 11};
    const std::uint64_t usual = reportBytes(options, counts);
    CHECK(usual > 5'000'000);  // the sample's report has 13 MB
    CHECK(usual < 40'000'000);
    CHECK(reportBytes(options, {.tensors = 60, .channelTensors = 25, .recipes = 11}) > usual);
    options.pictureScale = 4;
    CHECK(reportBytes(options, counts) > usual);
    options.formats = {report::Format::Csv};
    CHECK(reportBytes(options, counts) < 1'000'000);
}
