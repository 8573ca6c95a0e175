// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/common_bins.h"
#include "core/metrics/metric.h"
#include "core/stats/extents.h"

#include "tests/support/catch.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace golden_test {

using namespace calibscope;
using calibscope::test::Approx;

// tests/golden/metrics.json, made by make_metrics.py beside it.

nlohmann::json expectations(const char* part)
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/golden/metrics.json");
    nlohmann::json list = nlohmann::json::parse(file).at(part);
    REQUIRE_FALSE(list.empty());
    return list;
}

Quantizer quantizerOf(const nlohmann::json& choice)
{
    const GivenSettings given{{"bits", choice.at("bits").dump()},
                              {"divisor", choice.at("divisor")},
                              {"rounding", choice.at("rounding")}};
    const Scheme scheme = schemeFrom(parseSchemeKind(choice.at("scheme").get<std::string>()),
                                     Settings(schemeParameters(), given, "scheme"));
    if (scheme.isAffine())
        return makeQuantizer(scheme, {.range = Range{choice.at("low"), choice.at("high")}})
            .quantizer;
    return makeQuantizer(scheme, {.threshold = choice.at("threshold").get<double>()}).quantizer;
}

std::vector<float> valuesOf(const nlohmann::json& tensor)
{
    return tensor.at("values").get<std::vector<float>>();
}

double absMaxOf(const std::vector<float>& values)
{
    Extents extents;
    extents.add(values);
    return extents.absMax();
}

void checkMetrics(const ErrorSummary& errors, const nlohmann::json& expected)
{
    for (const Metric& metric : metrics()) {
        INFO(metric.id);
        const std::optional<double> value = metric.evaluate(errors);
        REQUIRE(value);
        const double wanted = expected.at(std::string(metric.id)).get<double>();
        // Sums of 200 terms in another order; KL also spreads cells by another formula, where a
        // share of 1e-12 that falls on the other side of an edge shows.
        const bool isKl = metric.id == "kl";
        CHECK(*value == Approx(wanted).epsilon(isKl ? 1e-8 : 1e-11).margin(0.0));
    }
}

TEST_CASE("metrics under every scheme are those of whole arrays in NumPy")
{
    for (const nlohmann::json& tensor : expectations("tensors")) {
        const std::vector<float> values = valuesOf(tensor);
        for (const nlohmann::json& expected : tensor.at("cases")) {
            INFO(tensor.at("name") << " " << expected.dump());
            ErrorTally tally(quantizerOf(expected), absMaxOf(values));
            tally.add(values);
            checkMetrics(tally, expected.at("metrics"));
        }
    }
}

TEST_CASE("metrics of a tensor quantized per channel are those of whole arrays in NumPy")
{
    for (const nlohmann::json& tensor : expectations("channels")) {
        INFO(tensor.at("name"));
        double absMax = 0.0;
        for (const nlohmann::json& channel : tensor.at("channels"))
            absMax = std::max(absMax, absMaxOf(valuesOf(channel)));
        ChannelSummary whole;
        std::vector<std::uint64_t> recorded(commonBins);
        for (const nlohmann::json& channel : tensor.at("channels")) {
            ErrorTally tally(quantizerOf(channel.at("choice")), absMax);
            tally.add(valuesOf(channel));
            whole.add(tally);
            countInCommonBins(valuesOf(channel), absMax, recorded);
        }
        checkMetrics(whole.total(recorded), tensor.at("metrics"));
    }
}

}  // namespace golden_test
