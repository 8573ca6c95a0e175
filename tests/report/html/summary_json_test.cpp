// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/summary_json.h"

#include "tests/report/describe/some_report.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace summary_json_test {

using namespace calibscope;
using namespace calibscope::report;
using namespace calibscope::test;
using Json = nlohmann::json;

TEST_CASE("the summary holds files, recipes and the tensors with the worst first")
{
    const Json json = Json::parse(summaryJson(someReport()));
    CHECK(json["files"][0]["path"] == "/d/dump.h5");
    CHECK(json["files"][0]["size"] == 1234);
    CHECK(json["recipes"] == Json{"a", "b"});
    REQUIRE(json["tensors"].size() == 3);
    CHECK(json["tensors"][0]["tensor"] == "poor");
    CHECK(json["tensors"][0]["file"] == "/d/dump.h5");
    CHECK(json["tensors"][0]["page"] == "tensor/poor.html");
    CHECK(json["tensors"][0]["sqnr_db"] == Json{{"a", 12.0}});
    CHECK(json["tensors"][1]["sqnr_db"] == Json{{"a", 40.0}, {"b", 45.0}});
    CHECK(json["tensors"][2]["sqnr_db"] == Json::object());
    CHECK(json["problems"].empty());
}

TEST_CASE("gates tell whether they passed, and who did not")
{
    Report report = someReport();
    report.gates = {parseGate("sqnr<20"), parseGate("sqnr<2")};
    report.offences = {
        {.gate = "sqnr<20", .metric = "sqnr_db", .line = 1, .label = "min-max", .value = 12.0}};
    const Json gates = Json::parse(summaryJson(report))["gates"];
    CHECK(gates[0]["passed"] == false);
    CHECK(gates[0]["offences"][0]["tensor"] == "poor");
    CHECK(gates[0]["offences"][0]["value"] == 12.0);
    CHECK(gates[1]["passed"] == true);
    CHECK(gates[1]["offences"].empty());
}

TEST_CASE("problems and infinities are told, names with broken bytes do no harm")
{
    Report report = someReport();
    report.sources.push_back({.identity = {.path = "gone.h5"}, .problem = "gone.h5: no file"});
    report.lines[0].results[0].sqnrDb = std::numeric_limits<double>::infinity();
    report.lines[1].info.name = "caf\xff";
    report.lines[2].problem = "its filter is missing";
    const Json json = Json::parse(summaryJson(report));
    CHECK(json["files"][1]["problem"] == "gone.h5: no file");
    CHECK(json["tensors"][0]["tensor"] == "caf\xef\xbf\xbd");
    CHECK(json["tensors"][1]["sqnr_db"]["a"] == "inf");
    CHECK(json["problems"][0]["tensor"] == "empty");
    CHECK(json["problems"][0]["problem"] == "its filter is missing");
}

}  // namespace summary_json_test
