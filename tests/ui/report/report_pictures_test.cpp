// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_pictures.h"

#include "tests/support/catch.h"

namespace report_pictures_test {

using namespace calibscope;

TEST_CASE("a picture's line names file, hash, dataset and version")
{
    const report::Source source{
        .identity = {.path = "/d/net.h5", .sha256 = "0123456789abcdef0123456789abcdef"}};
    const QString line = provenanceLine(source, {.name = "x", .path = "/activations/x"});
    CHECK(line.startsWith("net.h5   SHA-256 0123456789ab   /activations/x   Calibscope "));
}

TEST_CASE("the histogram is of x where an affine range and negative values are, else of |x|")
{
    report::ReportedTensor part;
    Extents extents;
    extents.finite = 2;
    extents.max = 3.0;
    part.profile.moments.extents = extents;
    report::Result affine{.label = "mse", .outcome = {}};
    affine.outcome.choice.scheme.kind = SchemeKind::Affine;
    part.results = {affine};
    const auto titleOf = [&] { return reportPlots(part, false, false).front().content->xTitle(); };
    CHECK(titleOf() == "|x|");
    part.profile.moments.extents.min = -1.0;
    CHECK(titleOf() == "x");
    part.results.front().outcome.choice.scheme.kind = SchemeKind::SymmetricFull;
    CHECK(titleOf() == "|x|");
}

TEST_CASE("the environment tells options in the words of the command line")
{
    ReportOptions options;
    options.formats = {report::Format::Pdf, report::Format::Csv};
    options.filter = "kind:weight";
    const auto environment = reportEnvironment(options, {{.id = "a"}, {.id = "b"}}, 3, 7);
    const auto has = [&environment](const char* name, const char* value) {
        return std::ranges::count(environment, std::pair<std::string, std::string>(name, value));
    };
    CHECK(has("Tensors", "3 of 7, filter kind:weight") == 1);
    CHECK(has("Recipes", "a, b") == 1);
    CHECK(has("Formats", "csv, pdf") == 1);
}

}  // namespace report_pictures_test
