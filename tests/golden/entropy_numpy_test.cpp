// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace entropy_numpy_test {

using namespace calibscope;
using calibscope::test::Approx;

// tests/golden/entropy.json, made by make_entropy.py beside it: every trial bin by bin.

std::map<std::string, std::vector<nlohmann::json>> expectationsByTensor()
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/golden/entropy.json");
    std::map<std::string, std::vector<nlohmann::json>> byTensor;
    for (const nlohmann::json& entry : nlohmann::json::parse(file))
        byTensor[entry.at("tensor")].push_back(entry);
    return byTensor;
}

Choice choiceOf(const nlohmann::json& expected)
{
    GivenSettings given;
    for (const char* id : {"first-bin", "outliers-in-q", "empty-bins"})
        given[id] = expected.at(id).get<std::string>();
    return makeChoice("entropy", given, SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

TEST_CASE("entropy in both readings of empty bins is NumPy's on the sample's tensors")
{
    const auto dump = DumpFile::open(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5");
    std::size_t compared = 0;
    for (const auto& [name, entries] : expectationsByTensor()) {
        std::vector<Choice> choices;
        for (const nlohmann::json& entry : entries)
            choices.push_back(choiceOf(entry));
        const auto& tensors = dump->tensors();
        const auto found = std::ranges::find(tensors, name, &TensorInfo::name);
        REQUIRE(found != tensors.end());
        const ValueSource source = dump->source(static_cast<std::size_t>(found - tensors.begin()));
        TensorProfile profile = collectProfile(source);
        const std::vector<Outcome> outcomes =
            analyse(source, profile, choices, {.effort = MetricEffort::None});
        for (std::size_t index = 0; index < entries.size(); ++index) {
            INFO(entries[index].dump());
            const nlohmann::json& result = entries[index].at("result");
            const Outcome& outcome = outcomes[index];
            ++compared;
            if (result.is_null()) {
                CHECK(outcome.curve.value.empty());
                continue;
            }
            // Only sums are taken in another order; a tie of 1e-12 may fall to either side.
            CHECK(outcome.curve.value.at(outcome.curve.chosen) ==
                  Approx(result.at("kl").get<double>()).margin(1e-12));
            if (!result.at("is_tie").get<bool>())
                CHECK(*outcome.whole.clip.threshold ==
                      Approx(result.at("threshold").get<double>()).epsilon(1e-14).margin(0.0));
        }
    }
    CHECK(compared == 240);
}

}  // namespace entropy_numpy_test
