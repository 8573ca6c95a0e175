// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/stand_in.h"
#include "core/samples/study_samples.h"
#include "tests/support/catch.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace numpy_studies_test {

using namespace calibscope;
using namespace calibscope::samples;
using calibscope::test::Approx;

// tests/samples/studies.json, made by make_studies.py beside it: draws, thresholds and errors with
// NumPy alone.

SampleStudy studyOf(const nlohmann::json& expected, const DumpFile& dump)
{
    const auto [id, given] = idAndSettings(expected.at("candidate").get<std::string>());
    const std::vector<Choice> choices = {
        makeChoice(id, given, SchemeKind::SymmetricRestricted, Granularity::Tensor)};
    const TensorInfo& tensor =
        dump.tensors()[dump.indexOf(expected.at("tensor").get<std::string>())];
    const ValueSource source = dump.source(tensor);
    return studySamples(source, collectProfile(source), choices, {.parts = 4, .isExact = true})
        .front();
}

TEST_CASE("curves, bands and held-out errors of the sample are NumPy's")
{
    // Thresholds are the same doubles. Sums of squares are added up in another order, the ends of
    // a band that is widened are powers and exponentials: 1e-9.
    constexpr double summing = 1e-9;
    const auto dump = DumpFile::open(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5");
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/samples/studies.json");
    std::size_t compared = 0;
    for (const nlohmann::json& expected : nlohmann::json::parse(file)) {
        INFO(expected.at("tensor") << ", " << expected.at("candidate"));
        const SampleStudy study = studyOf(expected, *dump);
        REQUIRE(study.problem.empty());
        CHECK(study.units == expected.at("units"));
        CHECK(study.threshold == expected.at("threshold"));
        REQUIRE(study.thresholdBand);
        CHECK(study.thresholdBand->low ==
              Approx(expected.at("threshold_low").get<double>()).epsilon(summing));
        REQUIRE(study.thresholdBand->high.has_value() == expected.contains("threshold_high"));
        if (study.thresholdBand->high)
            CHECK(*study.thresholdBand->high ==
                  Approx(expected.at("threshold_high").get<double>()).epsilon(summing));
        REQUIRE(study.likeness);
        CHECK(study.likeness->correlation ==
              Approx(expected.at("correlation").get<double>()).margin(summing));
        CHECK(study.likeness->independentUnits ==
              Approx(expected.at("independent_units").get<double>()).epsilon(summing));
        REQUIRE(study.curve.size() == expected.at("curve").size());
        for (std::size_t point = 0; point < study.curve.size(); ++point) {
            CHECK(study.curve[point].threshold == expected.at("curve")[point]);
            CHECK(*study.curve[point].sqnrDb ==
                  Approx(expected.at("curve_sqnr_db")[point].get<double>()).epsilon(summing));
        }
        REQUIRE(study.heldOut);
        CHECK(*study.heldOut->sqnrDb ==
              Approx(expected.at("held_out_sqnr_db").get<double>()).epsilon(summing));
        CHECK(*study.heldOut->seenSqnrDb ==
              Approx(expected.at("seen_sqnr_db").get<double>()).epsilon(summing));
        ++compared;
    }
    CHECK(compared == 48);
}

}  // namespace numpy_studies_test
